import type { JobExecutionChange } from '@keepwatch/contract/monitoring/job-executions';
import type { State } from '@keepwatch/contract/monitoring/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { startIn } from './execution-detail.ts';

/** What a person can change of an execution, as it was. */
export interface Before {
  _id: string;
  state: State;
  ignoredUntil: string | null;
  note: string | null;
}

/** Who changes, and when: kept with a note. */
export interface Author {
  userId: string;
  username: string;
  at: Date;
}

/** What is stored of a note. */
interface StoredNote {
  content: string;
  userId: string;
  by: string;
  at: string;
}

/**
 * Makes the same change to all executions of `ids` that the caller reaches; gives what they were before, in the order of
 * their starts. Results do not change, so neither do the day rollups. Rows are locked in one order, so that two people
 * who change the same executions wait for each other instead of failing.
 */
export async function changeExecutions(
  connection: Connection,
  scope: Scope,
  ids: readonly string[],
  change: JobExecutionChange,
  author: Author,
): Promise<Before[]> {
  const before = await rows<Before>(connection, lockQuery(scope, ids));
  if (before.length > 0) {
    const found = before.map((execution) => execution._id);
    await execute(connection, changeQuery(scope, found, change, author));
  }
  return before;
}

export function lockQuery(scope: Scope, ids: readonly string[]): SQL {
  return sql`select e.id as "_id", e.state, e.ignored_until as "ignoredUntil", e.note->>'content' as note
    from job_executions e join ${wanted(ids)} on e.started_at = w.started_at and e.id = w.id
    where ${scope.rows('e')} and ${startedWithin(ids)} order by e.started_at, e.id for update of e`;
}

export function changeQuery(scope: Scope, ids: readonly string[], change: JobExecutionChange, author: Author): SQL {
  return sql`update job_executions e set ${assignments(change, author)} from ${wanted(ids)}
    where ${scope.rows('e')} and ${startedWithin(ids)} and e.started_at = w.started_at and e.id = w.id`;
}

function assignments({ state, ignoredUntil, note }: JobExecutionChange, author: Author): SQL {
  const parts: SQL[] = [];
  // Who changed the state keeps it from following the result; a note names its own author and keeps nothing.
  if (state !== undefined)
    parts.push(
      sql`changed_by = ${author.userId}, state = ${state}, ignored_until = ${ignoredUntil ?? null}::timestamptz`,
    );
  if (note !== undefined) parts.push(sql`note = ${storedNote(note.content, author)}::jsonb`);
  return sql.join(parts, sql`, `);
}

/** An empty content removes the note. */
function storedNote(content: string, { userId, username, at }: Author): string | null {
  if (content.trim() === '') return null;
  const note: StoredNote = { content, userId, by: username, at: at.toISOString() };
  return JSON.stringify(note);
}

/** Ids with the starts that they carry, so that each row is found by the whole key. */
function wanted(ids: readonly string[]): SQL {
  return sql`unnest(${sql.param(ids)}::uuid[], ${sql.param(ids.map(startIn))}::timestamptz[]) as w(id, started_at)`;
}

/** Lets the planner leave out the months that no id names. */
function startedWithin(ids: readonly string[]): SQL {
  const starts = ids.map(startIn).sort();
  return sql`e.started_at between ${starts.at(0)}::timestamptz and ${starts.at(-1)}::timestamptz`;
}
