import {
  addPasskey as addCall,
  beginPasskey,
  removePasskey as removeCall,
  renamePasskey as renameCall,
} from '@keepwatch/contract/identity/passkeys';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { invalid } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { changeOwn } from '../change-own.ts';
import { requireCurrentPassword } from '../require-current-password.ts';
import { newChallenge, userOfChallenge } from './challenges.ts';
import { endEnrolment, enrol } from './enrolment.ts';
import { ownKey } from './own-key.ts';
import { addPasskey, newPasskeyRequestOf, removePasskey, renamePasskey } from './passkeys.ts';
import { requireChallenge } from './prove-second-factor.ts';
import { relyingPartyOf } from './relying-party.ts';

/** The calls with which users change their passkeys. */
export function passkeyCalls(services: ConnectionServices & { publicUrl: string }): Route[] {
  const { publicUrl } = services;
  return [
    answer(beginPasskey, async (context, { params, body }) => {
      const { database, actor, now } = context;
      const user = ownKey(context, params.id);
      await requireCurrentPassword(context, services, body.password);
      const challenge = await newChallenge(database, user, 'new-passkey', now());
      const party = await relyingPartyOf(database, publicUrl, user.providerId);
      const named = { ...user, username: actor.username };
      return { data: await newPasskeyRequestOf(database, party, named, challenge) };
    }),

    answer(addCall, async (context, { params, body }) => {
      const { database, now } = context;
      const user = ownKey(context, params.id);
      const party = await relyingPartyOf(database, publicUrl, user.providerId);
      const recoveryCodes = await changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
        const owner = await userOfChallenge(connection, user.providerId, body.challenge, 'new-passkey', now());
        const isOwn = owner?.id === user.id;
        const added = isOwn ? await addPasskey(connection, party, user, body, now()) : null;
        if (added === null) throw invalid([{ path: 'body.proof', message: 'is not of the passkey that was begun' }]);
        await requireChallenge(connection, context, user.providerId, body.challenge, 'new-passkey');
        return { result: await enrol(connection, user, context.actor.sessionHash), after: { name: body.name } };
      });
      return { data: { recoveryCodes } };
    }),

    answer(renameCall, async (context, { params, body: { name } }) => {
      const user = ownKey(context, params.id);
      await changeOwn(context, { kind: 'passkey', id: params.passkeyId }, async (connection) => {
        const before = await renamePasskey(connection, user, params.passkeyId, name);
        return before === null ? null : { result: null, before: { name: before }, after: { name } };
      });
      return {};
    }),

    answer(removeCall, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      await requireCurrentPassword(context, services, body.password);
      await changeOwn(context, { kind: 'passkey', id: params.passkeyId }, async (connection) => {
        const name = await removePasskey(connection, user, params.passkeyId);
        if (name === null) return null;
        await endEnrolment(connection, user);
        return { result: null, before: { name } };
      });
      return {};
    }),
  ];
}
