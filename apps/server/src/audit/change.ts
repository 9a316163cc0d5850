import type { PoolClient } from 'pg';
import { transaction } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { type LiveEvent, publish } from '../foundation/events.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import { record } from './audit.ts';

/** What a call changes: a noun of the product, and its id unless that comes into being with it. `null`: no single thing. */
export type ChangeTarget = { kind: string; id?: string } | null;

/** What was done, in one transaction with its audit entry and the hint to open browsers. */
export interface Change<R> {
  /** For the reply. */
  result: R;
  /** Of what was created. */
  id?: string;
  /** For the audit log. Never a secret. */
  before?: unknown;
  after?: unknown;
  live?: readonly LiveEvent['name'][];
}

/** Nothing had to be changed: no entry, no event. */
export interface NoChange<R> {
  result: R;
  isUnchanged: true;
}

type Done<R> = Change<R> | NoChange<R> | null;

/**
 * Makes the change of a declared call in one transaction with its audit entry, whose action is the one of the declaration. `null` from
 * `work`: the caller's scope has no such thing, which is answered with a 404 that names it. Whatever is thrown undoes all of it.
 */
export function change<R>(
  context: ChangingContext,
  target: ChangeTarget,
  work: (connection: PoolClient) => Promise<Done<R>>,
): Promise<R> {
  return transaction(context.database, async (connection) =>
    changeWithin(connection, context, target, await work(connection)),
  );
}

/** The same within a transaction of the caller's: `done` has been done in it. */
export async function changeWithin<R>(
  connection: PoolClient,
  context: ChangingContext,
  target: ChangeTarget,
  done: Done<R>,
): Promise<R> {
  if (done === null) throw notFound(target?.kind.replaceAll('-', ' ') ?? 'entry');
  if ('isUnchanged' in done) return done.result;
  const { result, id = target?.id, before, after, live = [] } = done;
  const changed = target === null || id === undefined ? {} : { target: { kind: target.kind, id } };
  await record(connection, context, { action: context.audit, ...changed, before, after });
  for (const name of live) await publish(connection, { name, providerId: context.scope.providerId });
  return result;
}
