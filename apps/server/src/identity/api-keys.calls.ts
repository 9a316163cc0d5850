import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@keepwatch/contract/identity/api-keys';
import type { ConnectionServices } from '../connections/connection-services.ts';
import { requireOwnPassword } from '../directory/outside-users.ts';
import { requireOwn } from '../foundation/http/access.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { createKey, listKeys, revokeKey } from './api-keys.ts';
import { changeOwn } from './change-own.ts';
import { requireCurrentPassword } from './require-current-password.ts';

/** The calls with which users make and revoke keys for their programs. */
export function apiKeyCalls(services: ConnectionServices): Route[] {
  return [
    answer(listApiKeys, async (context, { params }) => {
      requireOwn(context.actor, params.id);
      return { data: await listKeys(context.database, context.actor) };
    }),

    answer(createApiKey, async (context, { params, body }) => {
      requireOwn(context.actor, params.id);
      // A key of a user who signs in elsewhere would go on after the account there has ended.
      await requireOwnPassword(context.database, { providerId: context.scope.providerId, id: context.actor.userId });
      await requireCurrentPassword(context, services, body.password);
      const { key, token } = await changeOwn(context, { kind: 'api-key' }, async (connection) => {
        const created = await createKey(connection, context.actor, body, context.now());
        return { result: created, id: created.key._id, after: shownOf(created.key) };
      });
      return { data: key, token };
    }),

    answer(revokeApiKey, async (context, { params }) => {
      requireOwn(context.actor, params.id);
      await changeOwn(context, { kind: 'api-key', id: params.keyId.toLowerCase() }, async (connection) => {
        const revoked = await revokeKey(connection, context.actor, params.keyId);
        return revoked === null ? null : { result: null, before: shownOf(revoked) };
      });
      return {};
    }),
  ];
}

/** What the users logs have of a key. */
const shownOf = ({ name, abilities, expiresAt }: ApiKey) => ({ name, abilities, expiresAt });
