import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { type Connection, execute, row } from '../../foundation/database.ts';
import type { Actor } from '../../foundation/http/context.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { type Changes, update } from '../../foundation/table-writes.ts';
import { organizationOf } from '../../microsoft365/organizations/organizations.ts';
import { LOST } from '../abandoned-work.ts';
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
  /** Workers that have begun it and did not give it back. */
  claims: number;
}

const columnsWith = (
  order: SQL,
) => sql`p.provider_id as "providerId", p.id, p.company_id as "companyId", p.organization_id as "organizationId",
  p.organization_name as "organizationName", p.session_id as "sessionId", p.user_id as "userId", p.username, p.name, p.target, p.is_plan as "isPlan",
  ${order} as "restoreOrder", p.state, p.created_at as "createdAt", p.cancel_asked_at as "cancelAskedAt", p.started_at as "startedAt",
  p.ended_at as "endedAt", p.progress, p.message, p.claims`;

const COLUMNS = columnsWith(sql`p.restore_order`);
/** Without the ids of what is restored, of which there may be ten thousand: lists and a caller who asks how far it is need none. */
const LISTED = columnsWith(sql`jsonb_set(p.restore_order, '{parts}',
  (select coalesce(jsonb_agg(jsonb_set(e.part, '{scope,items}', 'null') order by e.place), '[]') from jsonb_array_elements(p.restore_order->'parts') with ordinality as e (part, place)))`);

/** A restore is in the company of its organization (alias `o`), which may be moved to another one. */
const TABLES = sql`restore_operations p ${organizationOf('p')}`;

/** Names a restore in the users logs. */
export const nameOfRestore: NameOfTarget = (scope, id) =>
  sql`select t.name from restore_operations t ${organizationOf('t')} where ${scope.rows('o')} and t.id = ${id}`;

/** Begins a restore in a worker; `null` where it has ended, or its organization was removed. */
export function claimOperation(
  connection: Connection,
  { providerId, id }: OperationKey,
  at: Date,
): Promise<OperationRow | null> {
  return row(
    connection,
    sql`update restore_operations p set state = 'Running', started_at = coalesce(p.started_at, ${at}), claims = p.claims + 1
        where p.provider_id = ${providerId} and p.id = ${id} and p.ended_at is null returning ${COLUMNS}`,
  );
}

/** Gives a restore back, so that another worker goes on with it. */
export async function releaseOperation(connection: Connection, { providerId, id }: OperationKey): Promise<void> {
  const which = sql`provider_id = ${providerId} and id = ${id} and ended_at is null`;
  await update(connection, restoreOperations, { claims: sql`claims - 1` }, which);
}

/** Ends the restores that were ordered before a time and have not ended: no worker has them any more. */
export async function endLostOperations(connection: Connection, before: Date, at: Date): Promise<void> {
  await execute(
    connection,
    sql`update restore_operations o set state = case when o.cancel_asked_at is null then 'Failed' else 'Cancelled' end, message = ${LOST}, ended_at = ${at}
        where o.ended_at is null and o.created_at < ${before}`,
  );
}

/** An operation of the caller, `null` for another's. */
export function findOwnOperation(
  connection: Connection,
  actor: Pick<Actor, 'scope' | 'userId'>,
  id: string,
): Promise<OperationRow | null> {
  return row(connection, sql`select ${LISTED} from ${TABLES} where ${own(actor)} and p.id = ${id}`);
}

const own = ({ scope, userId }: { scope: Scope; userId: string }): SQL =>
  sql`${scope.rows('o')} and p.user_id = ${userId}`;

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
    and (${organizationId ?? null}::uuid is null or p.organization_id = ${organizationId ?? null})`;
  return readPage(
    connection,
    sql`select ${LISTED} from ${TABLES} where ${where} order by p.created_at desc, p.id limit ${limit} offset ${offset}`,
    sql`select count(*) from ${TABLES} where ${where}`,
  );
}

export function updateOperation(
  connection: Connection,
  { providerId, id }: OperationKey,
  changes: Changes<typeof restoreOperations>,
): Promise<number> {
  return update(connection, restoreOperations, changes, { providerId, id });
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
  const { ended: _, ...progress } = operation.progress;
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
