import { CHANGED_FAULTS_MAX, type editFaults as call, type FaultChange } from '@keepwatch/contract/faults/faults';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { change as changeByCall } from '../audit/change.ts';
import { changeExecutions } from '../executions/execution-changes.ts';
import { checkUntil } from '../executions/ignored-until.ts';
import { type Connection, rows } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';
import type { Author } from '../runs/execution-notes.ts';
import { FAULTS } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { runsOfFault } from './fault-detail.ts';
import { type ChosenFaults, faultParts } from './fault-filter.ts';
import { otherUserOf } from './fault-viewers.ts';
import { runsBefore } from './runs-before.ts';

type Reply = Omit<CallReply<typeof call>, 'success'>;

/** Which faults: by their ids, or all of a query. */
export type Which = { ids: readonly string[] } | (ChosenFaults & { isWithoutOthers: boolean });

interface ChosenFault {
  id: string;
  lastExecutionId: string;
  /** Its runs that the change makes different. */
  executionIds: string[];
  /** Another user who has it, where such faults are left out. */
  otherUser: string | null;
}

/**
 * Makes the same change to faults, with one audit entry. A state goes to all runs of a fault that are not resolved, and to its last run: the
 * state of a fault is that of its last run. Two users who resolve the same faults at once change them once, as they wait for each other.
 */
export function editFaults(context: ChangingContext, which: Which, change: FaultChange): Promise<Reply> {
  const { actor, scope } = context;
  const author = { userId: actor.userId, username: actor.username, at: context.now() };
  checkUntil(change.ignoredUntil, 'body.change.ignoredUntil', context.now());
  return changeByCall<Reply>(context, null, async (connection) => {
    await lockExecutions(connection, scope.providerId);
    const chosen = await findFaults(connection, scope, which, { change, author });
    const found = chosen.filter(({ otherUser }) => otherUser === null);
    const isChanging = ({ executionIds }: ChosenFault) => change.state === undefined || executionIds.length > 0;
    const changing = found.filter(isChanging);
    const unchangedIds = found.filter((fault) => !isChanging(fault)).map(({ id }) => id);
    const done = await changeRuns(connection, scope, changing, { change, author });
    const result = {
      changed: changing.length,
      unchanged: unchangedIds.length,
      unchangedIds,
      ofOthers: countByUser(chosen),
      notFound: notFound(which, found),
      madeAt: author.at.toISOString(),
      ...done,
    };
    if (changing.length === 0) return { result, isUnchanged: true };
    const before = changing.map(({ id, executionIds }) => ({ _id: id, runs: executionIds.length }));
    return { result, before, after: change, live: ['executions.changed'] };
  });
}

interface Changing {
  change: FaultChange;
  author: Author;
}

/** The note goes to the last runs alone: hundreds of copies of one text would be in the lists of runs. */
async function changeRuns(
  connection: PoolClient,
  scope: Scope,
  faults: readonly ChosenFault[],
  { change: { note, ...state }, author }: Changing,
): Promise<Pick<Reply, 'before' | 'noteId' | 'notedIds'>> {
  const ids = faults.flatMap(({ executionIds }) => executionIds);
  const { before } = ids.length === 0 ? { before: [] } : await changeExecutions(connection, scope, ids, state, author);
  const alike = runsBefore(before);
  if (note === undefined || faults.length === 0) return { before: alike, noteId: null, notedIds: [] };
  const last = faults.map(({ lastExecutionId }) => lastExecutionId);
  const noted = await changeExecutions(connection, scope, last, { note }, author);
  return { before: alike, noteId: noted.noteId, notedIds: noted.before.map(({ _id }) => _id) };
}

async function findFaults(
  connection: Connection,
  scope: Scope,
  which: Which,
  changing: Changing,
): Promise<ChosenFault[]> {
  const found = await rows<ChosenFault>(connection, query(scope, which, changing));
  if (found.length > CHANGED_FAULTS_MAX)
    throw conflict(
      `More than ${CHANGED_FAULTS_MAX} faults are among these. Narrow the filters and change them in parts.`,
    );
  return found;
}

function query(scope: Scope, which: Which, { change, author }: Changing): SQL {
  const parts =
    'ids' in which
      ? [sql`${scope.rows('f')} and f.id = any(${sql.param(which.ids)}::uuid[])`]
      : faultParts(scope, which);
  const chosen = sql.join(
    parts.map((conditions) => sql`(select f.* from ${FAULTS} f where ${conditions} limit ${CHANGED_FAULTS_MAX + 1})`),
    sql` union all `,
  );
  const ofFault = runsOfFault(scope, sql`f.job_instance_uid`, sql`f.opened_at`, sql`f.last_started_at`);
  const isLimited = 'isWithoutOthers' in which && which.isWithoutOthers;
  const otherUser = isLimited ? otherUserOf(author.userId, author.at) : sql`null`;
  return sql`select f.id, f.last_execution_id as "lastExecutionId", e.ids as "executionIds", ${otherUser} as "otherUser" from (${chosen}) f
    cross join lateral (select coalesce(array_agg(e.id order by e.started_at, e.id), '{}') as ids from ${JOB_EXECUTIONS} e
      where ${ofFault} and (e.state <> 'resolved' or e.id = f.last_execution_id) and ${isDifferent(change, author)}) e
    order by f.id`;
}

/** Whether the change makes a run (alias `e`) different. One in progress by another user is different. */
function isDifferent({ state, ignoredUntil }: FaultChange, { userId }: Author): SQL {
  if (state === undefined) return sql`false`;
  const hasOtherOwner = state === 'in-progress' ? sql`e.changed_by is distinct from ${userId}::uuid` : sql`false`;
  return sql`(e.state <> ${state} or e.ignored_until is distinct from ${ignoredUntil ?? null}::timestamptz or ${hasOtherOwner})`;
}

function countByUser(faults: readonly ChosenFault[]): Reply['ofOthers'] {
  const counts = new Map<string, number>();
  for (const { otherUser } of faults) if (otherUser !== null) counts.set(otherUser, (counts.get(otherUser) ?? 0) + 1);
  return [...counts].map(([username, count]) => ({ username, faults: count }));
}

function notFound(which: Which, found: readonly ChosenFault[]): string[] {
  if (!('ids' in which)) return [];
  const known = new Set(found.map(({ id }) => id));
  return which.ids.filter((id) => !known.has(id));
}
