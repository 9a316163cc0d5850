import type { SessionResult } from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import { isOfWorkers } from '../engine/work-of-workers.ts';

/** A run with a restore point whose users are not counted yet. */
export interface UncountedRun {
  providerId: number;
  id: string;
  organizationId: string;
  jobId: string;
  repositoryId: string;
  result: SessionResult;
  restorePoint: string;
  endedAt: string;
}

const AT_ONCE = 100;

/** Lists runs whose users are to be counted now, the oldest first. */
export function listUncounted(connection: Connection, now: Date): Promise<UncountedRun[]> {
  return rows(
    connection,
    sql`select s.provider_id as "providerId", s.id, j.organization_id as "organizationId", j.id as "jobId", s.repository_id as "repositoryId", s.result,
          s.restore_point as "restorePoint", s.ended_at as "endedAt"
        from m365_job_sessions s join m365_jobs j on j.provider_id = s.provider_id and j.id = s.job_id
          join m365_repositories r on r.provider_id = s.provider_id and r.id = s.repository_id
        where s.restore_point is not null and s.count_users_at < 'infinity' and s.count_users_at <= ${now} and ${isOfWorkers('j')}
        order by s.ended_at limit ${AT_ONCE}`,
  );
}

/** Stores when the users of a run are to be counted; `null`: they were. */
export async function countAgainAt(
  connection: Connection,
  { providerId, id }: UncountedRun,
  at: Date | null,
): Promise<void> {
  await execute(
    connection,
    sql`update m365_job_sessions s set count_users_at = ${at === null ? sql`'infinity'` : at} where s.provider_id = ${providerId} and s.id = ${id}`,
  );
}
