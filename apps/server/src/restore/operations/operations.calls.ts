import {
  cancelRestoreOperation,
  listRestoreOperationItems,
  listRestoreOperations,
  readRestoreOperation,
} from '@keepwatch/contract/restore/sessions';
import { change } from '../../audit/change.ts';
import { notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { listItems } from './operation-items.ts';
import {
  findOwnOperation,
  hasEnded,
  listOwnOperations,
  type OperationRow,
  shownOperation,
  updateOperation,
} from './operations.ts';

/** Restores and plans of the user who began them. */
export const operationCalls: Route[] = [
  answer(listRestoreOperations, async ({ database, actor }, { query }) => {
    const { count, data } = await listOwnOperations(database, actor, query);
    return { count, data: data.map(shownOperation) };
  }),

  answer(readRestoreOperation, async (context, { params }) => ({
    data: shownOperation(await requireOperation(context, params.operationId)),
  })),

  answer(cancelRestoreOperation, async (context, { params: { operationId: id } }) => {
    await change(context, { kind: 'restore', id }, async (connection) => {
      const operation = await findOwnOperation(connection, context.actor, id);
      if (operation === null) return null;
      if (hasEnded(operation) || operation.cancelAskedAt !== null) return { result: null, isUnchanged: true };
      const now = context.now();
      // One that no worker has begun ends at once.
      const end = operation.state === 'Queued' ? { state: 'Cancelled' as const, endedAt: now } : {};
      await updateOperation(connection, operation, { cancelAskedAt: now, ...end });
      return { result: null, after: { name: operation.name } };
    });
    return { data: shownOperation(await requireOperation(context, id)) };
  }),

  answer(listRestoreOperationItems, async (context, { params, query }) => {
    const operation = await requireOperation(context, params.operationId);
    const { count, data } = await listItems(context.database, operation, query);
    return { count, data: data.map(({ itemId, ...item }) => ({ id: itemId, ...item })) };
  }),
];

async function requireOperation({ database, actor }: SignedInContext, id: string): Promise<OperationRow> {
  const found = await findOwnOperation(database, actor, id);
  if (found === null) throw notFound('restore');
  return found;
}
