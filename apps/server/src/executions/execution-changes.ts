import { type JobExecutionChange, NOTES_MAX } from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scope.ts';
import { startIn } from '../runs/execution-id.ts';
import {
  type Author,
  hasOwnNote,
  newNote,
  noteContent,
  type StoredNote,
  withNote,
  withoutNote,
} from '../runs/execution-notes.ts';
import { refreshFaultStates } from '../runs/faults/fault-states.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { lockExecutions } from '../schedules/job-state.ts';

/** The fields of an execution that a user can change, before the change. */
export interface Before {
  _id: string;
  state: State;
  ignoredUntil: string | null;
  /** The text of the note that the change removed. */
  removedNote?: string;
}

export interface Changed {
  before: Before[];
  /** The note that was added to all executions. */
  noteId: string | null;
}

/**
 * Makes the same change to all executions of `ids` in the caller's scope; returns their previous values, ordered by start.
 * Results do not change, so neither do the day rollups; the faults of which they are the last runs have their new state. The executions
 * lock is acquired before any row is locked, so that this waits for a batch that is being written instead of failing. Throws 409 when an
 * execution has no room for another note.
 */
export async function changeExecutions(
  connection: Connection,
  scope: Scope,
  ids: readonly string[],
  change: JobExecutionChange,
  author: Author,
): Promise<Changed> {
  await lockExecutions(connection, scope.providerId);
  const locked = await rows<Before & { noteCount: number }>(connection, lockQuery(scope, ids, change, author));
  const note = change.note === undefined ? null : newNote(change.note.content, author);
  if (note !== null && locked.some(({ noteCount }) => noteCount >= NOTES_MAX))
    throw conflict(`A run has ${NOTES_MAX} notes already. Remove one of yours before you add another.`);
  const before = locked.map(({ noteCount, ...run }) => run);
  const found = before.map((run) => run._id);
  if (found.length > 0) await execute(connection, changeQuery(scope, found, change, author, note));
  await refreshFaultStates(connection, scope.providerId, found);
  return { before, noteId: note?.id ?? null };
}

export function lockQuery(
  scope: Scope,
  ids: readonly string[],
  { removeNote }: JobExecutionChange,
  { userId }: Author,
): SQL {
  const removed = removeNote === undefined ? sql`` : sql`, ${noteContent(removeNote)} as "removedNote"`;
  const isThere = removeNote === undefined ? sql`` : sql` and ${hasOwnNote(removeNote, userId)}`;
  return sql`select e.id as "_id", e.state, e.ignored_until as "ignoredUntil", coalesce(jsonb_array_length(e.notes), 0) as "noteCount"${removed}
    from ${JOB_EXECUTIONS} e join ${keysOf(ids)} on e.started_at = w.started_at and e.id = w.id
    where ${scope.rows('e')} and ${startedWithin(ids)}${isThere} order by e.started_at, e.id for update of e`;
}

export function changeQuery(
  scope: Scope,
  ids: readonly string[],
  change: JobExecutionChange,
  author: Author,
  note: StoredNote | null,
): SQL {
  return sql`update ${JOB_EXECUTIONS} e set ${assignments(change, author, note)} from ${keysOf(ids)}
    where ${scope.rows('e')} and ${startedWithin(ids)} and e.started_at = w.started_at and e.id = w.id`;
}

function assignments(
  { state, ignoredUntil, removeNote }: JobExecutionChange,
  { userId, username, at }: Author,
  note: StoredNote | null,
): SQL {
  const parts: SQL[] = [];
  // A state that a user set no longer follows the result; a note does not change that.
  if (state !== undefined)
    parts.push(
      sql`changed_by = ${userId}, changed_by_name = ${username}, changed_at = ${at}, state = ${state},
          ignored_until = ${ignoredUntil ?? null}::timestamptz`,
    );
  if (note !== null) parts.push(sql`notes = ${withNote(note)}`);
  if (removeNote !== undefined) parts.push(sql`notes = ${withoutNote(removeNote)}`);
  return sql.join(parts, sql`, `);
}

/** Returns ids with the starts that they contain, so that each row is found by its whole key. */
function keysOf(ids: readonly string[]): SQL {
  return sql`unnest(${sql.param(ids)}::uuid[], ${sql.param(ids.map(startIn))}::timestamptz[]) as w(id, started_at)`;
}

/** Lets the planner skip the months that no id names. */
function startedWithin(ids: readonly string[]): SQL {
  const starts = ids.map(startIn).sort();
  return sql`e.started_at between ${starts.at(0)}::timestamptz and ${starts.at(-1)}::timestamptz`;
}
