import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';

/**
 * Takes texts out of what runs of jobs reported: the message of a run or an attempt, what it says is at fault, and lines of logs. Results and
 * figures stay.
 * @param isOf the condition under which a text goes
 */
export async function forgetTexts(
  connection: Connection,
  providerId: number,
  jobs: readonly string[],
  isOf: IsOf,
): Promise<void> {
  const ofJobs = sql`e.provider_id = ${providerId} and e.job_instance_uid = any(${sql.param(jobs)}::uuid[])`;
  await execute(
    connection,
    sql`update job_executions e set message = null where ${ofJobs} and e.message is not null and ${isOf(sql`e.message`)}`,
  );
  await execute(
    connection,
    sql`update faults e set cause_subject = null where ${ofJobs} and e.cause_subject is not null and ${isOf(sql`e.cause_subject`)}`,
  );
  await execute(
    connection,
    sql`update job_execution_logs g set lines = ${without(sql`g.lines`, isOf)}, attempts = (
            select coalesce(jsonb_agg(a.one || jsonb_build_object('message', case when ${isOf(MESSAGE)} then null else a.one->'message' end,
              'log', ${without(ATTEMPT_LOG, isOf)}) order by a.place), '[]') from jsonb_array_elements(g.attempts) with ordinality a (one, place))
        from job_executions e
        where ${ofJobs} and g.provider_id = e.provider_id and g.started_at = e.started_at and g.execution_id = e.id
          and (${hasAny(sql`g.lines`, isOf)} or exists (select from jsonb_array_elements(g.attempts) a (one)
            where ${isOf(MESSAGE)} or ${hasAny(ATTEMPT_LOG, isOf)}))`,
  );
}

type IsOf = (text: SQL) => SQL;

/** Of an attempt (alias `a`). */
const MESSAGE = sql`a.one->>'message'`;
const ATTEMPT_LOG = sql`coalesce(a.one->'log', '[]')`;

const TEXT = sql`l.one->>'text'`;

/** An array of JSON without those of its elements (alias `l`, column `one`) whose text goes. @param text of an element */
export const without = (array: SQL, isOf: IsOf, text = TEXT): SQL =>
  sql`(select coalesce(jsonb_agg(l.one order by l.place), '[]') from jsonb_array_elements(${array}) with ordinality l (one, place) where not ${isOf(text)})`;

/** Whether it has any. */
export const hasAny = (array: SQL, isOf: IsOf, text = TEXT): SQL =>
  sql`exists (select from jsonb_array_elements(${array}) l (one) where ${isOf(text)})`;
