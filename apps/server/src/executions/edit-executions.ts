import type {
  editJobExecutions,
  JobExecution,
  JobExecutionChange,
} from '@keepwatch/contract/executions/job-executions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { PoolClient } from 'pg';
import { change as changeByCall } from '../audit/change.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import { type Changed, changeExecutions } from './execution-changes.ts';
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
    } = await changed(connection, context, [id], change);
    const result = await findExecution(connection, context.scope, id);
    if (before === undefined || result === null) return null;
    return { result, id: before._id, before, after: change, live: ['executions.changed'] };
  });
}

/** Changes many executions with one audit entry. Returns the ids outside the caller's scope, which it does not change. */
export async function editExecutions(
  context: ChangingContext,
  ids: readonly string[],
  change: JobExecutionChange,
): Promise<BulkReply> {
  checkUntil(change.ignoredUntil, 'body.change.ignoredUntil', context.now());
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  return changeByCall<BulkReply>(context, null, async (connection) => {
    const { before, noteId } = await changed(connection, context, asked, change);
    const found = new Set(before.map((execution) => execution._id));
    const result = { updated: before.length, notFound: asked.filter((id) => !found.has(id)), before, noteId };
    if (before.length === 0) return { result, isUnchanged: true };
    return { result, before, after: change, live: ['executions.changed'] };
  });
}

function changed(
  connection: PoolClient,
  { actor, scope, now }: ChangingContext,
  ids: readonly string[],
  change: JobExecutionChange,
): Promise<Changed> {
  const author = { userId: actor.userId, username: actor.username, at: now() };
  return changeExecutions(connection, scope, ids, change, author);
}
