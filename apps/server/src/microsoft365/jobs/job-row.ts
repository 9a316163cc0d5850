import type { JobSchedule, NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { EngineKind } from '@keepwatch/contract/microsoft365/engines';
import type { Microsoft365Job, Microsoft365JobDetail } from '@keepwatch/contract/microsoft365/jobs';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { LAST_PROOF_OF_JOB } from '../proofs/last-proofs.ts';
import { POINTS_OF_JOB } from '../repositories/counted-points.ts';
import { SESSION_FIELDS, type SessionRow, wireSessionOf } from '../sessions/session-row.ts';

/** A job as lists read it. */
export interface JobRow {
  id: string;
  name: string;
  description: string;
  organizationId: string;
  organizationName: string;
  companyId: string;
  companyName: string;
  engine: EngineKind;
  backupType: NewJob['backupType'];
  repositoryId: string;
  repositoryName: string;
  proxyId: string | null;
  isEnabled: boolean;
  withChats: boolean;
  selectedCount: number;
  excludedCount: number;
  schedule: JobSchedule;
  nextRunAt: string | null;
  lastSession: SessionRow | null;
  restorePoints: number;
  version: number;
  lastProof: Microsoft365Job['lastProof'];
}

/** The same with what it covers. */
export interface JobDetailRow extends JobRow, Pick<NewJob, 'selected' | 'excluded'> {}

/** Jobs (alias `j`) with all that they belong to and their last run (alias `l`). */
export const JOB_TABLES: SQL = sql`m365_jobs j
  join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id ${companyOf('o')}
  join m365_repositories r on r.provider_id = j.provider_id and r.id = j.repository_id
  left join lateral (select s.started_at, s.result, to_json(s) as session from (
      select ${SESSION_FIELDS}, s.started_at from m365_job_sessions s where s.provider_id = j.provider_id and s.job_id = j.id
      order by s.started_at desc, s.id limit 1) s) l on true`;

export const JOB_FIELDS: SQL = sql`j.id, j.name, j.description, j.organization_id as "organizationId", o.name as "organizationName",
  o.company_id as "companyId", coalesce(c.name, '') as "companyName", o.engine, j.backup_type as "backupType", j.repository_id as "repositoryId",
  r.name as "repositoryName", j.proxy_pool_id as "proxyId", j.is_enabled as "isEnabled", j.with_chats as "withChats",
  jsonb_array_length(j.selected) as "selectedCount", jsonb_array_length(j.excluded) as "excludedCount", j.schedule,
  case when j.is_enabled then j.next_run_at end as "nextRunAt", l.session as "lastSession",
  ${POINTS_OF_JOB} as "restorePoints", j.version,
  ${LAST_PROOF_OF_JOB} as "lastProof"`;

/** Returns a job as calls answer it. */
export function wireJobOf({ schedule, withChats, nextRunAt, lastSession, ...row }: JobRow): Microsoft365Job {
  return {
    ...row,
    _id: row.id,
    isTeamsChatsEnabled: withChats,
    schedulePolicy: schedulePolicyOf(schedule),
    nextRun: nextRunAt,
    lastSession: lastSession === null ? null : wireSessionOf(lastSession),
  };
}

export function wireJobDetailOf({ selected, excluded, ...row }: JobDetailRow): Microsoft365JobDetail {
  return {
    ...wireJobOf(row),
    selectedItems: { results: [...selected] },
    excludedItems: { results: [...excluded] },
  };
}

const RETRIES_OFFERED = 3;

function schedulePolicyOf(schedule: JobSchedule): Microsoft365Job['schedulePolicy'] {
  const { type, dailyType, time, dayOfMonth, everyMinutes, afterJobId, timeZone, retries, retryMinutes, window } =
    schedule;
  return {
    runAuto: type !== 'Disabled',
    type,
    dailyType,
    dailyTime: time,
    dayOfMonth,
    periodicallyEvery: everyMinutes,
    afterJobId,
    timeZone,
    runNow: false,
    retryEnabled: retries > 0,
    retryNumber: retries || RETRIES_OFFERED,
    retryWaitInterval: retryMinutes,
    backupWindowEnabled: window !== null,
    backupWindow: window === null ? null : [...window],
  };
}
