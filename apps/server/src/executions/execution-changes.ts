import { type JobExecutionChange, NOTES_MAX, type Undoing } from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { findUserById } from '../directory/users.ts';
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
import { FAULTS } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { lockExecutions } from '../schedules/job-state.ts';

/** The fields of an execution that a user can change, before the change. */
export interface Before {
  _id: string;
  state: State;
  ignoredUntil: string | null;
  changedById: string | null;
  changedAt: string | null;
  /** The text of the note that the change removed. */
  removedNote?: string;
}

/** A change of runs. One that undoes another one reaches only runs that were not changed since. */
export interface RunChange extends JobExecutionChange {
  undoes?: Undoing | undefined;
}

/** A run that a change made different, as it was before. */
export interface ChangedRun extends Before {
  jobInstanceUid: string;
}

export interface Changed {
  before: ChangedRun[];
  /** Ids that an undo left as they are. */
  changedSince: string[];
  /** The note that was added to all executions. */
  noteId: string | null;
}

interface LockedRun extends ChangedRun {
  noteCount: number;
  isChangedSince: boolean;
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
  change: RunChange,
  author: Author,
): Promise<Changed> {
  await lockExecutions(connection, scope.providerId);
  const locked = await rows<LockedRun>(connection, lockQuery(scope, ids, change, author));
  const since = locked.filter(({ isChangedSince }) => isChangedSince);
  const changing = locked.filter(({ isChangedSince }) => !isChangedSince);
  const note = change.note === undefined ? null : newNote(change.note.content, author);
  if (note !== null && changing.some(({ noteCount }) => noteCount >= NOTES_MAX))
    throw conflict(`A run has ${NOTES_MAX} notes already. Remove one of yours before you add another.`);
  const before = changing.map(({ noteCount, isChangedSince, ...run }) => run);
  const found = before.map((run) => run._id);
  const owner = await ownerOf(connection, scope, change, author);
  if (found.length > 0) await execute(connection, changeQuery(scope, found, change, owner, note));
  await refreshFaultStates(connection, scope.providerId, found);
  return { before, changedSince: since.map(({ _id }) => _id), noteId: note?.id ?? null };
}

/** Who a state is by, as it is stored with it; `null`: it follows the result. */
type Owner = Author | null;

/** An undo gives a run back to whom it was by. One whose account is gone cannot have it: then it stays with the caller. */
async function ownerOf(connection: Connection, scope: Scope, { undoes }: RunChange, author: Author): Promise<Owner> {
  if (undoes === undefined) return author;
  const { changedById, changedAt, madeAt } = undoes;
  if (changedById === null) return null;
  const user = await findUserById(connection, scope.providerId, changedById);
  if (user === null) return { ...author, at: new Date(madeAt) };
  return { userId: user.id, username: user.username, at: new Date(changedAt ?? madeAt) };
}

export function lockQuery(
  scope: Scope,
  ids: readonly string[],
  { removeNote, undoes }: RunChange,
  { userId }: Author,
): SQL {
  const removed = removeNote === undefined ? sql`` : sql`, ${noteContent(removeNote)} as "removedNote"`;
  const isThere = removeNote === undefined ? sql`` : sql` and ${hasOwnNote(removeNote, userId)}`;
  return sql`select e.id as "_id", e.job_instance_uid as "jobInstanceUid", e.state, e.ignored_until as "ignoredUntil", e.changed_by as "changedById", e.changed_at as "changedAt",
      coalesce(jsonb_array_length(e.notes), 0) as "noteCount", ${isChangedSince(undoes, userId)} as "isChangedSince"${removed}
    from ${JOB_EXECUTIONS} e join ${keysOf(ids)} on e.started_at = w.started_at and e.id = w.id
    where ${scope.rows('e')} and ${startedWithin(ids)}${isThere} order by e.started_at, e.id for update of e`;
}

/** Whether a run (alias `e`) is no longer as the change that is undone left it. The state of a fault is that of its last run. */
function isChangedSince(undoes: Undoing | undefined, userId: string): SQL {
  if (undoes === undefined) return sql`false`;
  const { madeAt, ofFaults } = undoes;
  const isOtherwise = sql`e.changed_by is distinct from ${userId}::uuid or e.changed_at is distinct from ${madeAt}::timestamptz`;
  if (!ofFaults) return sql`(${isOtherwise})`;
  return sql`(${isOtherwise} or exists (select from ${FAULTS} g where g.provider_id = e.provider_id and g.job_instance_uid = e.job_instance_uid
    and g.opened_at <= e.started_at and g.last_started_at >= e.started_at and g.changed_at > ${madeAt}::timestamptz))`;
}

export function changeQuery(
  scope: Scope,
  ids: readonly string[],
  change: JobExecutionChange,
  owner: Owner,
  note: StoredNote | null,
): SQL {
  return sql`update ${JOB_EXECUTIONS} e set ${assignments(change, owner, note)} from ${keysOf(ids)}
    where ${scope.rows('e')} and ${startedWithin(ids)} and e.started_at = w.started_at and e.id = w.id`;
}

function assignments(
  { state, ignoredUntil, removeNote }: JobExecutionChange,
  owner: Owner,
  note: StoredNote | null,
): SQL {
  const parts: SQL[] = [];
  // A state that a user set no longer follows the result; a note does not change that.
  if (state !== undefined)
    parts.push(
      sql`changed_by = ${owner?.userId ?? null}::uuid, changed_by_name = ${owner?.username ?? null}, changed_at = ${owner?.at ?? null}::timestamptz,
          state = ${state}, ignored_until = ${ignoredUntil ?? null}::timestamptz`,
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
