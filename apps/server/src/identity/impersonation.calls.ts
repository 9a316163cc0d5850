import { exitImpersonation, impersonate } from '@keepwatch/contract/identity/impersonation';
import { change, changeWithin } from '../audit/change.ts';
import { transaction } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { openImpersonation } from './impersonation.ts';
import { endSession } from './sessions.ts';

/** The calls with which an administrator acts as another user. */
export const impersonationCalls: Route[] = [
  answer(impersonate, async (context, { body: { userId } }) => {
    const { token, user } = await transaction(context.database, async (connection) => {
      const opened = await openImpersonation(connection, context, userId);
      // Recorded as done by the one as the other, so that both find it.
      const { actor } = opened ?? context;
      const both = { ...context, actor, scope: actor.scope };
      return changeWithin(connection, both, { kind: 'user' }, opened && { result: opened, id: actor.userId });
    });
    return { token, userId: user.id, user };
  }),

  answer(exitImpersonation, async (context) => {
    const { actor } = context;
    if (actor.impersonator === null) throw conflict('You act as no other user.');
    await change(context, { kind: 'user', id: actor.userId }, async (connection) => {
      await endSession(connection, actor.sessionHash);
      return { result: null };
    });
    return {};
  }),
];
