import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { JOBS } from '../../runs/jobs.ts';
import { millisecondsOf } from '../../runs/rows/column-arrays.ts';
import type { StoredSource } from '../stored-source.ts';

/** A job that another one replaced. */
export interface Replaced {
  jobInstanceUid: string;
  /** When its successor was first seen. */
  untilMs: number;
}

/**
 * Returns removed jobs whose name a new job of the same company has, by the id of the new one. A history that reports runs by job name
 * would assign their runs to the new job: a job that never ran would seem to have succeeded.
 */
export async function replacedJobsOf(
  connection: Connection,
  { providerId, id }: Pick<StoredSource, 'providerId' | 'id'>,
): Promise<ReadonlyMap<string, Replaced>> {
  const found = await rows<Replaced & { successor: string }>(
    connection,
    sql`select distinct on (j.job_instance_uid) j.job_instance_uid as successor, gone.job_instance_uid as "jobInstanceUid",
          ${millisecondsOf('j.first_seen_at')} as "untilMs"
        from ${JOBS} gone join ${JOBS} j on j.provider_id = gone.provider_id and j.source_id = gone.source_id and j.name = gone.name
          and j.source_group = gone.source_group and j.company_id is not distinct from gone.company_id and j.removed_at is null
        where gone.provider_id = ${providerId} and gone.source_id = ${id} and gone.removed_at is not null
          and gone.shared_by is null and j.shared_by is null
          and gone.first_seen_at < j.first_seen_at
        order by j.job_instance_uid, gone.removed_at desc`,
  );
  return new Map(found.map(({ successor, ...replaced }) => [successor, replaced]));
}
