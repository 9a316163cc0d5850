import type {
  editJobExecutions,
  JobExecution,
  JobExecutionChange,
  Undoing,
} from '@keepwatch/contract/executions/job-executions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { change as changeByCall } from '../audit/change.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import type { Author } from '../runs/execution-notes.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { findChangedRuns, type Span } from './changed-spans.ts';
import { type Before, type ChangedRun, changeExecutions, type RunChange } from './execution-changes.ts';
import { findExecution } from './execution-detail.ts';
import { checkUntil } from './ignored-until.ts';

type BulkReply = Omit<CallReply<typeof editJobExecutions>, 'success'>;

/** Changes one execution, with its audit entry. Throws 404 for one outside the caller's scope. */
export async function editExecution(
  context: ChangingContext,
  id: string,
  change: JobExecutionChange,
): Promise<JobExecution> {
  checkUntil(change.ignoredUntil, 'body.ignoredUntil', context.now());
  return changeByCall(context, { kind: 'job-execution' }, async (connection) => {
    const done = await changeExecutions(connection, context.scope, [id], change, authorOf(context));
    const [before] = withoutJobs(done.before);
    const result = await findExecution(connection, context.scope, id);
    if (before === undefined || result === null) return null;
    return { result, id: before._id, before, after: change, live: ['executions.changed'] };
  });
}

interface Bulk {
  ids: readonly string[];
  spans?: readonly Span[] | undefined;
  change: JobExecutionChange;
  undoes?: Undoing | undefined;
}

/** Changes many executions with one audit entry. Returns the ids outside the caller's scope, which it does not change. */
export async function editExecutions(context: ChangingContext, bulk: Bulk): Promise<BulkReply> {
  const { change, undoes } = bulk;
  // An undo may bring back an ignore that has ended since: then it ends as it would have.
  if (undoes === undefined) checkUntil(change.ignoredUntil, 'body.change.ignoredUntil', context.now());
  if (bulk.spans !== undefined && undoes !== undefined) return undoSpans(context, bulk.spans, { ...change, undoes });
  const asked = [...new Set(bulk.ids.map((id) => id.toLowerCase()))];
  const author = authorOf(context);
  return changeByCall<BulkReply>(context, null, async (connection) => {
    const after = undoes === undefined ? change : { ...change, undoes };
    const done = await changeExecutions(connection, context.scope, asked, after, author);
    const { changedSince, noteId } = done;
    const before = withoutJobs(done.before);
    const found = new Set([...before.map((execution) => execution._id), ...changedSince]);
    const notFound = asked.filter((id) => !found.has(id));
    const madeAt = author.at.toISOString();
    const result = { updated: before.length, notFound, changedSince, madeAt, before, noteId };
    if (before.length === 0) return { result, isUnchanged: true };
    return { result, before, after, live: ['executions.changed'] };
  });
}

/** Undoes a change of runs that are named by their job and starts. The reply and the audit entry name none of them: they are too many. */
function undoSpans(
  context: ChangingContext,
  spans: readonly Span[],
  change: RunChange & { undoes: Undoing },
): Promise<BulkReply> {
  const author = authorOf(context);
  const { madeAt } = change.undoes;
  return changeByCall<BulkReply>(context, null, async (connection) => {
    await lockExecutions(connection, context.scope.providerId);
    const ids = await findChangedRuns(connection, context.scope, spans, { userId: author.userId, madeAt });
    const done = ids.length === 0 ? null : await changeExecutions(connection, context.scope, ids, change, author);
    const updated = done?.before.length ?? 0;
    const none = { notFound: [], changedSince: [], before: [], noteId: null };
    const result = { updated, madeAt: author.at.toISOString(), ...none };
    if (updated === 0) return { result, isUnchanged: true };
    return { result, before: { spans, runs: updated }, after: change, live: ['executions.changed'] };
  });
}

/** As it is in a reply and in the audit log. */
function withoutJobs(changed: readonly ChangedRun[]): Before[] {
  return changed.map(({ jobInstanceUid, ...run }) => run);
}

function authorOf({ actor, now }: ChangingContext): Author {
  return { userId: actor.userId, username: actor.username, at: now() };
}
