import type { ProvedPerson } from '@keepwatch/connectors/ports/identity-provider';
import { rulesOf } from '@keepwatch/connectors/ports/identity-provider';
import { beginSingleSignOn, finishSingleSignOn } from '@keepwatch/contract/identity/single-sign-on';
import { record } from '../../audit/audit.ts';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { findConnection, type StoredConnection } from '../../connections/connections.ts';
import type { StoredUser } from '../../directory/users.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newToken } from '../../foundation/secrets.ts';
import { providerOf } from '../provider-of.ts';
import { goOn } from '../second-factors/go-on.ts';
import { admitPerson } from './admit-person.ts';
import { type BrowserSignIn, SIGN_IN_COOKIE, signInRequest, spendBegun, storeBegun } from './begun-sign-ins.ts';
import { NotAdmitted } from './not-admitted.ts';
import { redirectAddressOf } from './redirect-address.ts';
import { IDENTITY_PORT } from './sign-in-ways.ts';
import { throughProvider } from './through-provider.ts';

interface SignOnServices extends ConnectionServices {
  publicUrl: string;
}

/** The calls that sign in through an identity provider of the brand. */
export function singleSignOnCalls(services: SignOnServices): Route[] {
  return [
    answer(beginSingleSignOn, async (context, { params }) => {
      const stored = await findIdentityProvider(context, await providerOf(context), params.id);
      if (stored === null) throw notFound('identity provider');
      const browser = context.cookies.token(SIGN_IN_COOKIE) ?? newToken();
      const begun = { browser, state: newToken() };
      const request = await requestOf(context, services, stored, begun);
      const address = await throughProvider(context, services, stored, (opened, gone) => opened.begin(request, gone));
      await storeBegun(context.database, stored, begun, context.now());
      context.cookies.setToken(SIGN_IN_COOKIE, browser);
      return { data: { address: address.href } };
    }),

    answer(finishSingleSignOn, async (context, { body }) => {
      const { stored, begun } = await requireBegun(context, body.query);
      const request = await requestOf(context, services, stored, begun);
      const returned = new URL(`?${body.query}`, request.redirectAddress);
      const person = await throughProvider(context, services, stored, (opened, gone) =>
        opened.finish(returned, request, gone),
      );
      const user = await requireAdmitted(context, stored, person);
      const hasSecondFactor = rulesOf(stored.settings).trustsSecondFactor && person.usedSecondFactor;
      return goOn(context, user, { services, hasSecondFactor });
    }),
  ];
}

async function findIdentityProvider(
  { database }: PublicContext,
  providerId: number,
  id: string,
): Promise<StoredConnection | null> {
  const stored = await findConnection(database, providerId, id);
  return stored?.port === IDENTITY_PORT && stored.isEnabled ? stored : null;
}

async function requestOf(
  { database }: PublicContext,
  { publicUrl }: SignOnServices,
  { providerId }: StoredConnection,
  begun: BrowserSignIn,
) {
  return signInRequest(begun, await redirectAddressOf(database, publicUrl, providerId));
}

/** What this browser has begun, and with it is spent. Throws 401 for anything else: an old address, one of another browser or of another brand. */
async function requireBegun(
  context: PublicContext,
  query: string,
): Promise<{ stored: StoredConnection; begun: BrowserSignIn }> {
  const providerId = await providerOf(context);
  const [state = '', ...further] = new URLSearchParams(query).getAll('state');
  const begun = { state, browser: context.cookies.token(SIGN_IN_COOKIE) ?? '' };
  const id = further.length > 0 ? null : await spendBegun(context.database, providerId, begun, context.now());
  const stored = id === null ? null : await findIdentityProvider(context, providerId, id);
  if (stored !== null) return { stored, begun };
  const who = { providerId, userId: null, username: '-' };
  await record(context.database, context, {
    action: 'session.refused',
    who,
    after: { reason: 'no sign-in that this browser has begun' },
  });
  throw new Refusal(401, 'SIGN_IN_AGAIN', 'The sign-in took too long, or was begun in another browser. Log in again.');
}

/** Throws 403 for who may not sign in here, which the users logs say. */
async function requireAdmitted(
  context: PublicContext,
  stored: StoredConnection,
  person: ProvedPerson,
): Promise<StoredUser> {
  try {
    return await admitPerson(context, stored, rulesOf(stored.settings), person);
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    const { providerId, id } = stored;
    const who = { providerId, userId: error.userId, username: person.userName ?? person.subject };
    const { reason, message } = error;
    await record(context.database, context, {
      action: 'session.refused',
      target: { kind: 'connection', id },
      who,
      after: { reason },
    });
    throw new Refusal(403, 'NOT_ADMITTED', message);
  }
}
