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
import { changeExecutions, type RunChange } from './execution-changes.ts';
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
    const {
      before: [before],
    } = await changeExecutions(connection, context.scope, [id], change, authorOf(context));
    const result = await findExecution(connection, context.scope, id);
    if (before === undefined || result === null) return null;
    return { result, id: before._id, before, after: change, live: ['executions.changed'] };
  });
}

interface Bulk {
  ids: readonly string[];
  change: JobExecutionChange;
  undoes?: Undoing | undefined;
}

/** Changes many executions with one audit entry. Returns the ids outside the caller's scope, which it does not change. */
export async function editExecutions(context: ChangingContext, { ids, undoes, ...bulk }: Bulk): Promise<BulkReply> {
  const change: RunChange = undoes === undefined ? bulk.change : { ...bulk.change, undoes };
  // An undo may bring back an ignore that has ended since: then it ends as it would have.
  if (undoes === undefined) checkUntil(change.ignoredUntil, 'body.change.ignoredUntil', context.now());
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  const author = authorOf(context);
  return changeByCall<BulkReply>(context, null, async (connection) => {
    const done = await changeExecutions(connection, context.scope, asked, change, author);
    const { before, changedSince } = done;
    const found = new Set([...before.map((execution) => execution._id), ...changedSince]);
    const notFound = asked.filter((id) => !found.has(id));
    const result = { updated: before.length, notFound, madeAt: author.at.toISOString(), ...done };
    if (before.length === 0) return { result, isUnchanged: true };
    return { result, before, after: change, live: ['executions.changed'] };
  });
}

function authorOf({ actor, now }: ChangingContext): Author {
  return { userId: actor.userId, username: actor.username, at: now() };
}
