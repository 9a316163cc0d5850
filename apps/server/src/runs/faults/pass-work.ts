import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import { type JobSpan, spansOf } from '../rows/execution-rows.ts';
import { isFine, isNotFine, kindOf, placeOf } from './faults.ts';

/**
 * Gives new runs of an open fault the state that a person gave it: a user works on it, or it is ignored until later than the run began.
 * So a fault that is worked on does not come back each time its job fails. One that was resolved does, and so does one that is ignored when
 * it becomes worse: a warning that is now a failure.
 */
export async function passWorkToNewRuns(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<void> {
  const worked = sql`select k.to_at, f.* from (${spansOf(spans)}) k
    cross join lateral (select f.* from faults f where f.provider_id = ${providerId} and f.job_instance_uid = k.job
      order by f.opened_at desc limit 1) f
    where f.closed_at is null and f.changed_by is not null and f.last_started_at < k.to_at
      and (f.state = 'in-progress' or (f.state = 'ignored' and f.ignored_until is not null))`;
  const ends = sql`(${isFine('n')} or (f.state = 'ignored' and ${isNotFine('n')} and ${placeOf(kindOf('n'))} < ${placeOf(sql`f.kind`)}))`;
  await execute(
    connection,
    sql`with worked as materialized (${worked})
        update job_executions e set state = f.state, ignored_until = f.ignored_until, changed_by = f.changed_by,
          changed_by_name = f.changed_by_name, changed_at = f.changed_at
        from worked f
        where e.provider_id = ${providerId} and e.job_instance_uid = f.job_instance_uid and e.started_at > f.last_started_at
          and e.started_at <= f.to_at and e.state = 'pending' and e.changed_by is null and ${isNotFine('e')}
          and (f.state = 'in-progress' or f.ignored_until > e.started_at)
          and not exists (select from job_executions n where n.provider_id = ${providerId} and n.job_instance_uid = f.job_instance_uid
            and n.started_at > f.last_started_at and n.started_at <= e.started_at and ${ends})`,
  );
}
