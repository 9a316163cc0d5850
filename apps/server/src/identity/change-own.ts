import type { PoolClient } from 'pg';
import { type Change, type ChangeTarget, change, type NoChange } from '../audit/change.ts';
import type { ChangingContext } from '../foundation/http/context.ts';
import { holdSession } from './sessions.ts';

/** Changes what is the caller's own, as `change` does, unless the session has ended since the call came. @throws Refusal 401 */
export function changeOwn<R>(
  context: ChangingContext,
  target: ChangeTarget,
  work: (connection: PoolClient) => Promise<Change<R> | NoChange<R> | null>,
): Promise<R> {
  return change(context, target, async (connection) => {
    await holdSession(connection, context.actor);
    return work(connection);
  });
}
