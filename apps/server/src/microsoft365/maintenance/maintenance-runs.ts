import type { RetentionYears } from '@keepwatch/connectors/ports/microsoft365-engine';
import type {
  Finding,
  MaintenanceKind,
  MaintenanceRun,
  VerifyDepth,
} from '@keepwatch/contract/microsoft365/maintenance';
import { sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert, update } from '../../foundation/table-writes.ts';
import type { RepositoryKey } from '../repositories/repository-secrets.ts';
import { m365MaintenanceRuns } from '../tables.ts';

/** What is to be done to a repository. */
export interface MaintenanceOrder {
  kind: MaintenanceKind;
  depth: VerifyDepth;
  isDryRun: boolean;
  username: string | null;
}

/** A run as a worker needs it. */
export interface StoredMaintenance extends MaintenanceOrder {
  providerId: number;
  id: string;
  repositoryId: string;
  retentionYears: RetentionYears;
  startedAt: string;
  /** Workers that have begun it and did not give it back, with the one that has it now. */
  claims: number;
}

/** How a run ended. */
export interface MaintenanceEnd {
  result: 'Success' | 'Warning' | 'Failed';
  message: string | null;
  findings: readonly Finding[];
}

/** Returns the end of a run that could not do its work. */
export const failedBy = (text: string): MaintenanceEnd => ({
  result: 'Failed',
  message: text,
  findings: [{ level: 'error', text }],
});

/** Makes a run of a repository. @returns its id; `null` while another one of it goes on */
export async function insertMaintenance(
  connection: Connection,
  { providerId, id: repositoryId }: RepositoryKey,
  order: MaintenanceOrder,
  at: Date,
): Promise<string | null> {
  const id = newId();
  const made = await insert(
    connection,
    m365MaintenanceRuns,
    { providerId, id, repositoryId, ...order, startedAt: at, result: 'Running' },
    sql`on conflict (provider_id, repository_id) where ended_at is null do nothing`,
  );
  return made === 1 ? id : null;
}

const STORED = sql`m.provider_id as "providerId", m.id, m.repository_id as "repositoryId", m.kind, m.depth, m.is_dry_run as "isDryRun", m.username,
    m.started_at as "startedAt", m.claims, r.retention_years as "retentionYears"`;

const UNENDED = sql`select ${STORED} from m365_maintenance_runs m
    join m365_repositories r on r.provider_id = m.provider_id and r.id = m.repository_id where m.ended_at is null`;

/** Begins a run in a worker; `null` where it has ended, or its repository was removed. */
export function claimMaintenance(
  connection: Connection,
  providerId: number,
  id: string,
): Promise<StoredMaintenance | null> {
  return row(
    connection,
    sql`update m365_maintenance_runs m set claims = m.claims + 1 from m365_repositories r
        where m.provider_id = ${providerId} and m.id = ${id} and m.ended_at is null
          and r.provider_id = m.provider_id and r.id = m.repository_id returning ${STORED}`,
  );
}

/** Gives a run back, so that another worker begins it. */
export async function releaseMaintenance(
  connection: Connection,
  { providerId, id }: Pick<StoredMaintenance, 'providerId' | 'id'>,
): Promise<void> {
  const which = sql`provider_id = ${providerId} and id = ${id} and ended_at is null`;
  await update(connection, m365MaintenanceRuns, { claims: sql`claims - 1` }, which);
}

/** Returns the end of a run that a person stopped. */
export function stoppedBy(username: string, kind: MaintenanceKind): MaintenanceEnd {
  const text = `${username} stopped it. ${kind === 'verify' ? 'What was not checked by then may be damaged.' : 'What was removed by then stays removed; the next prune goes on.'}`;
  return { result: 'Warning', message: text, findings: [{ level: 'warning', text }] };
}

/** Finds the run of a repository that goes on; `null` where none does. */
export function findRunning(
  connection: Connection,
  { providerId, id }: RepositoryKey,
): Promise<StoredMaintenance | null> {
  return row(connection, sql`${UNENDED} and m.provider_id = ${providerId} and m.repository_id = ${id}`);
}

/** Lists the runs without an end that were made before a time. */
export function listUnended(connection: Connection, before: Date): Promise<StoredMaintenance[]> {
  return rows(connection, sql`${UNENDED} and m.started_at < ${before} order by m.provider_id, m.id`);
}

/** Ends a run. @returns `false` where it had ended already */
export async function storeMaintenanceEnd(
  connection: Connection,
  { providerId, id }: Pick<StoredMaintenance, 'providerId' | 'id'>,
  { result, message, findings }: MaintenanceEnd,
  at: Date,
): Promise<boolean> {
  const found = await row(
    connection,
    sql`update m365_maintenance_runs m set ended_at = greatest(${at}, m.started_at), result = ${result}, message = ${message},
          findings = ${JSON.stringify(findings)}::jsonb
        where m.provider_id = ${providerId} and m.id = ${id} and m.ended_at is null returning m.id`,
  );
  return found !== null;
}

/** Lists the last runs of a repository, newest first. */
export function listMaintenance(
  connection: Connection,
  { providerId, id }: RepositoryKey,
  limit: number,
): Promise<MaintenanceRun[]> {
  return rows(
    connection,
    sql`select m.id, m.kind, m.depth, m.is_dry_run as "isDryRun", m.username, m.started_at as "startTime", m.ended_at as "endTime",
          m.result as status, m.message as details, m.findings
        from m365_maintenance_runs m where m.provider_id = ${providerId} and m.repository_id = ${id} order by m.started_at desc, m.id limit ${limit}`,
  );
}
