import {
  cancelRestoreOperation,
  listRestoreOperationItems,
  listRestoreOperations,
  readRestoreOperation,
} from '@keepwatch/contract/restore/sessions';
import { change } from '../../audit/change.ts';
import { notFound } from '../../foundation/errors.ts';
import type { ChangingContext, SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { RestoreServices } from '../restore-services.ts';
import { SeenRows } from '../roles/seen-rows.ts';
import { listItems } from './operation-items.ts';
import {
  findOwnOperation,
  hasEnded,
  listOwnOperations,
  type OperationRow,
  shownOperation,
  updateOperation,
} from './operations.ts';
import { objectsOfParts } from './restore-order.ts';

type Seen = SeenRows<OperationRow>;

/** Restores and plans of the user who began them. */
export function operationCalls(services: RestoreServices): Route[] {
  const seen = new SeenRows<OperationRow>(services, ({ organizationId, restoreOrder }) => ({
    organizationId,
    objects: objectsOfParts(restoreOrder.parts),
  }));
  return [list(seen), read(seen), cancel(seen), items(seen)];
}

const list = (seen: Seen): Route =>
  answer(listRestoreOperations, async (context, { query }) => {
    const { database, actor } = context;
    const { count, data } = await seen.page(context, query, (page) =>
      listOwnOperations(database, actor, { ...query, ...page }),
    );
    return { count, data: data.map(shownOperation) };
  });

const read = (seen: Seen): Route =>
  answer(readRestoreOperation, async (context, { params }) => ({
    data: shownOperation(await requireOperation(context, seen, params.operationId)),
  }));

const cancel = (seen: Seen): Route =>
  answer(cancelRestoreOperation, async (context, { params: { operationId: id } }) => {
    await requireOperation(context, seen, id);
    await cancelOne(context, id);
    return { data: shownOperation(await requireOperation(context, seen, id)) };
  });

async function cancelOne(context: ChangingContext, id: string): Promise<void> {
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
}

const items = (seen: Seen): Route =>
  answer(listRestoreOperationItems, async (context, { params, query }) => {
    const operation = await requireOperation(context, seen, params.operationId);
    const { count, data } = await listItems(context.database, operation, query);
    return { count, data: data.map(({ itemId, ...item }) => ({ id: itemId, ...item })) };
  });

async function requireOperation(context: SignedInContext, seen: Seen, id: string): Promise<OperationRow> {
  const found = await seen.one(context, await findOwnOperation(context.database, context.actor, id));
  if (found === null) throw notFound('restore');
  return found;
}
