import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { proxyIdOf } from './worker-ids.ts';

/** A run that a machine does now. */
interface ProxyRun {
  jobId: string;
  jobName: string;
  organizationName: string;
  startTime: string;
}

/** Reads what machines do now, by their ids: of all organizations within the scope, or of one. Machines work for all providers. */
export async function runsByProxy(
  connection: Connection,
  scope: Scope,
  organizationId: string | undefined,
): Promise<ReadonlyMap<string, ProxyRun[]>> {
  const found = await rows<ProxyRun & { worker: string }>(
    connection,
    sql`select w.name as worker, j.id as "jobId", j.name as "jobName", o.name as "organizationName", s.started_at as "startTime"
        from m365_job_sessions s join m365_workers w on w.id = s.worker_id
          join m365_jobs j on j.provider_id = s.provider_id and j.id = s.job_id
          join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id
        where ${scope.rows('o')} and s.ended_at is null and s.claimed_until > now()
          and ${organizationId === undefined ? sql`true` : sql`o.id = ${organizationId}`} order by s.started_at, s.id`,
  );
  const groups = Map.groupBy(found, ({ worker }) => proxyIdOf(worker));
  return new Map([...groups].map(([id, runs]) => [id, runs.map(({ worker: _, ...run }) => run)]));
}
