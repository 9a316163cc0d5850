import {
  beginAuthenticator as beginCall,
  confirmAuthenticator as confirmCall,
  getSecondFactors,
  getUserSecondFactors,
  removeAuthenticator as removeCall,
  renewRecoveryCodes as renewCall,
  resetSecondFactors as resetCall,
} from '@keepwatch/contract/identity/second-factors';
import { change } from '../../audit/change.ts';
import { findBrandById } from '../../branding/brands.ts';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { findListedUser, lockUser } from '../../directory/user-changes.ts';
import { conflict, invalid, notFound } from '../../foundation/errors.ts';
import { isWhoAsks } from '../../foundation/http/access.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { changeOwn } from '../change-own.ts';
import { requireCurrentPassword } from '../require-current-password.ts';
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticators.ts';
import { endEnrolment, enrol } from './enrolment.ts';
import { ownKey } from './own-key.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { findSecondFactors, isProtected, resetSecondFactors } from './second-factors.ts';

const WRONG_CODE = 'is not the code that the app shows now; if you began more than ten minutes ago, begin again';

/** The calls with which users change their second factors, and administrators reset those of others. */
export function secondFactorCalls(services: ConnectionServices): Route[] {
  const { secrets } = services;
  return [
    answer(getSecondFactors, async (context, { params }) => ({
      data: await findSecondFactors(context.database, ownKey(context, params.id)),
    })),

    answer(beginCall, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      await requireCurrentPassword(context, services, body.password);
      const key = await beginAuthenticator(context.database, secrets, user, context.now());
      return { data: { key, address: await addressOf(context, key) } };
    }),

    answer(confirmCall, async (context, { params, body: { code } }) => {
      const user = ownKey(context, params.id);
      const recoveryCodes = await changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
        if (!(await confirmAuthenticator(connection, secrets, user, code, context.now())))
          throw invalid([{ path: 'body.code', message: WRONG_CODE }]);
        return { result: await enrol(connection, user, context.actor.sessionHash) };
      });
      return { data: { recoveryCodes } };
    }),

    answer(removeCall, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      await requireCurrentPassword(context, services, body.password);
      await changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
        if (!(await removeAuthenticator(connection, user))) throw notFound('authenticator app');
        await endEnrolment(connection, user);
        return { result: null };
      });
      return {};
    }),

    answer(renewCall, async (context, { params, body }) => {
      const user = ownKey(context, params.id);
      await requireCurrentPassword(context, services, body.password);
      const codes = await changeOwn(context, { kind: 'user', id: user.id }, async (connection) => {
        if (!isProtected(await findSecondFactors(connection, user)))
          throw conflict('Recovery codes replace a second factor that was lost. Add one first.');
        return { result: await renewRecoveryCodes(connection, user) };
      });
      return { data: codes };
    }),

    answer(getUserSecondFactors, async ({ database, scope }, { params: { id } }) => {
      const user = await findListedUser(database, scope, id);
      if (user === null) throw notFound('user');
      return { data: await findSecondFactors(database, { providerId: scope.providerId, id: user._id }) };
    }),

    answer(resetCall, async (context, { params: { id } }) => {
      await change(context, { kind: 'user', id }, async (connection) => {
        const user = await lockUser(connection, context.actor, id);
        if (user === null) return null;
        if (isWhoAsks(context.actor, user._id)) throw conflict('Remove your own second factors on your security page.');
        await resetSecondFactors(connection, { providerId: context.scope.providerId, id: user._id });
        return { result: null };
      });
      return {};
    }),
  ];
}

/** What an authenticator app reads from the picture: the key, and how the app names it. */
async function addressOf({ database, scope, actor }: SignedInContext, key: string): Promise<string> {
  const brand = await findBrandById(database, scope.providerId);
  if (brand === null) throw notFound('brand');
  const [issuer, name] = [brand.name.replaceAll(':', ' '), actor.username].map(encodeURIComponent);
  return `otpauth://totp/${issuer}:${name}?secret=${key}&issuer=${issuer}`;
}
