import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from '@keepwatch/contract/identity/own-sessions';
import { requireOwn } from '../foundation/http/access.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { changeOwn } from './change-own.ts';
import { listSessions, revokeOthers, revokeSession } from './own-sessions.ts';

/** The calls with which users see and end their own sessions. */
export const ownSessionCalls: Route[] = [
  answer(listOwnSessions, async (context, { params }) => {
    requireOwn(context.actor, params.id);
    return { data: await listSessions(context.database, context.actor, context.now()) };
  }),

  answer(revokeOwnSession, async (context, { params }) => {
    requireOwn(context.actor, params.id);
    await changeOwn(context, { kind: 'session', id: params.sessionId.toLowerCase() }, async (connection) => {
      const before = await revokeSession(connection, context.actor, params.sessionId);
      return before === null ? null : { result: null, before };
    });
    return {};
  }),

  answer(revokeOtherSessions, async (context, { params }) => {
    requireOwn(context.actor, params.id);
    const ended = await changeOwn(context, null, async (connection) => {
      const count = await revokeOthers(connection, context.actor);
      return count === 0 ? { result: 0, isUnchanged: true } : { result: count, before: { sessions: count } };
    });
    return { data: { ended } };
  }),
];
