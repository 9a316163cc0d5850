import type {
  editJobExecutions,
  JobExecution,
  JobExecutionChange,
} from '@keepwatch/contract/executions/job-executions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { PoolClient } from 'pg';
import { record } from '../audit/audit.ts';
import { transaction } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { publish } from '../foundation/events.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { type Changed, changeExecutions } from './execution-changes.ts';
import { findExecution } from './execution-detail.ts';
import { checkUntil } from './ignored-until.ts';

type BulkReply = Omit<CallReply<typeof editJobExecutions>, 'success'>;

/** Changes one execution, with its audit entry. Throws 404 for one outside the caller's scope. */
export async function editExecution(
  context: SignedInContext,
  id: string,
  change: JobExecutionChange,
): Promise<JobExecution> {
  checkUntil(change.ignoredUntil, 'body.ignoredUntil', context.now());
  return transaction(context.database, async (connection) => {
    const {
      before: [before],
    } = await changed(connection, context, [id], change);
    const after = await findExecution(connection, context.scope, id);
    if (before === undefined || after === null) throw notFound('job execution');
    const target = { kind: 'job-execution', id: before._id };
    await record(connection, context, { action: 'job-execution.edit', target, before, after: change });
    return after;
  });
}

/** Changes many executions with one audit entry. Returns the ids outside the caller's scope, which it does not change. */
export async function editExecutions(
  context: SignedInContext,
  ids: readonly string[],
  change: JobExecutionChange,
): Promise<BulkReply> {
  checkUntil(change.ignoredUntil, 'body.change.ignoredUntil', context.now());
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  return transaction(context.database, async (connection) => {
    const { before, noteId } = await changed(connection, context, asked, change);
    if (before.length > 0)
      await record(connection, context, { action: 'job-execution.edit-many', before, after: change });
    const found = new Set(before.map((execution) => execution._id));
    return { updated: before.length, notFound: asked.filter((id) => !found.has(id)), before, noteId };
  });
}

async function changed(
  connection: PoolClient,
  context: SignedInContext,
  ids: readonly string[],
  change: JobExecutionChange,
): Promise<Changed> {
  const { actor, scope } = context;
  const author = { userId: actor.userId, username: actor.username, at: context.now() };
  const done = await changeExecutions(connection, scope, ids, change, author);
  if (done.before.length > 0) await publish(connection, { name: 'executions.changed', providerId: scope.providerId });
  return done;
}
