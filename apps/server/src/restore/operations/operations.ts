import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { type Connection, row } from '../../foundation/database.ts';
import type { Actor } from '../../foundation/http/context.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { type Changes, update } from '../../foundation/table-writes.ts';
import { restoreOperations } from '../tables.ts';
import { NOTHING_DONE, type OperationState, type StoredProgress, type StoredRestoreOrder } from './restore-order.ts';

export interface OperationKey {
  providerId: number;
  id: string;
}

export interface OperationRow extends OperationKey {
  companyId: string;
  organizationId: string;
  organizationName: string;
  sessionId: string;
  userId: string;
  username: string;
  name: string;
  target: string;
  isPlan: boolean;
  restoreOrder: StoredRestoreOrder;
  state: OperationState;
  createdAt: string;
  cancelAskedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  progress: StoredProgress;
  message: string | null;
}

const COLUMNS = sql`o.provider_id as "providerId", o.id, o.company_id as "companyId", o.organization_id as "organizationId",
  o.organization_name as "organizationName", o.session_id as "sessionId", o.user_id as "userId", o.username, o.name, o.target, o.is_plan as "isPlan",
  o.restore_order as "restoreOrder", o.state, o.created_at as "createdAt", o.cancel_asked_at as "cancelAskedAt", o.started_at as "startedAt",
  o.ended_at as "endedAt", o.progress, o.message`;

/** Names a restore in the users logs. */
export const nameOfRestore: NameOfTarget = (scope, id) =>
  sql`select t.name from restore_operations t where ${scope.rows('t')} and t.id = ${id}`;

/** For the worker: no user asks. */
export function findOperation(connection: Connection, { providerId, id }: OperationKey): Promise<OperationRow | null> {
  return row(
    connection,
    sql`select ${COLUMNS} from restore_operations o where o.provider_id = ${providerId} and o.id = ${id}`,
  );
}

/** An operation of the caller, `null` for another's. */
export function findOwnOperation(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  id: string,
): Promise<OperationRow | null> {
  return row(connection, sql`select ${COLUMNS} from restore_operations o where ${own(actor)} and o.id = ${id}`);
}

const own = ({ scope, userId }: { scope: Scope; userId: string }): SQL =>
  sql`${scope.rows('o')} and o.user_id = ${userId}`;

export interface OperationFilter {
  companyId?: string | undefined;
  organizationId?: string | undefined;
  limit: number;
  offset: number;
}

/** Operations of the caller, newest first. */
export function listOwnOperations(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  { companyId, organizationId, limit, offset }: OperationFilter,
): Promise<Page<OperationRow>> {
  const where = sql`${own(actor)} and (${companyId ?? null}::uuid is null or o.company_id = ${companyId ?? null})
    and (${organizationId ?? null}::uuid is null or o.organization_id = ${organizationId ?? null})`;
  return readPage(
    connection,
    sql`select ${COLUMNS} from restore_operations o where ${where} order by o.created_at desc, o.id limit ${limit} offset ${offset}`,
    sql`select count(*) from restore_operations o where ${where}`,
  );
}

export function updateOperation(
  connection: Connection,
  { providerId, id }: OperationKey,
  changes: Changes<typeof restoreOperations>,
): Promise<number> {
  return update(connection, restoreOperations, changes, { providerId, id });
}

/** Marks one as running, also one that another worker was at. @returns whether it is to run: it may have been cancelled since it was read */
export async function beginOperation(
  connection: Connection,
  { providerId, id, state }: Pick<OperationRow, 'providerId' | 'id' | 'state'>,
  startedAt: string | Date,
): Promise<boolean> {
  const which = { providerId, id, state };
  return (await update(connection, restoreOperations, { state: 'Running', startedAt }, which)) > 0;
}

export async function isCancelAsked(connection: Connection, { providerId, id }: OperationKey): Promise<boolean> {
  const found = await row<{ isAsked: boolean }>(
    connection,
    sql`select cancel_asked_at is not null as "isAsked" from restore_operations where provider_id = ${providerId} and id = ${id}`,
  );
  return found?.isAsked ?? true;
}

/** Whether it came to its end, however. */
export const hasEnded = ({ endedAt }: Pick<OperationRow, 'endedAt'>) => endedAt !== null;

export function shownOperation(operation: OperationRow): RestoreOperation {
  const { id, sessionId, organizationId, organizationName, companyId, name, target, isPlan, state } = operation;
  const { createdAt, startedAt, endedAt, cancelAskedAt, username, message } = operation;
  const { partsDone: _, lastLine: __, ...progress } = operation.progress;
  return {
    id,
    restoreSessionId: sessionId,
    organizationId,
    organizationName,
    companyId,
    name,
    target,
    isPlan,
    state,
    isCancelling: cancelAskedAt !== null && endedAt === null,
    createdAt,
    createdBy: username,
    startedAt,
    endedAt,
    ...NOTHING_DONE,
    ...progress,
    message,
  };
}
