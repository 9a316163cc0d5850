import type { PasskeyProof } from '@keepwatch/contract/identity/passkey-fields';
import {
  beginPasskeySignIn,
  confirmWithPasskey,
  signInWithPasskey as signInCall,
} from '@keepwatch/contract/identity/passkeys';
import { record } from '../../audit/audit.ts';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { findUserById, type StoredUser, whoOf } from '../../directory/users.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { providerOf } from '../provider-of.ts';
import { requireOwnSignIn } from '../single-sign-on/sign-in-ways.ts';
import { currentUser } from '../user-directory/verify-by-directory.ts';
import { newChallenge } from './challenges.ts';
import { endSignIn } from './end-sign-in.ts';
import { ownerOfPasskey, usePasskey } from './passkeys.ts';
import { requireChallenge, signInWithSecondFactor } from './prove-second-factor.ts';
import { relyingPartyOf } from './relying-party.ts';

/** The calls that sign in with a passkey, after the password or without one. */
export function passkeySignInCalls(services: ConnectionServices & { publicUrl: string }): Route[] {
  const { publicUrl } = services;
  /** Whether the proof is one of the user's passkeys for the challenge. */
  const proves = async (context: PublicContext, user: StoredUser, given: Parameters<typeof usePasskey>[3]) => {
    const party = await relyingPartyOf(context.database, publicUrl, user.providerId);
    return usePasskey(context.database, party, user, given, context.now());
  };
  return [
    answer(beginPasskeySignIn, async (context) => {
      const providerId = await providerOf(context);
      const challenge = await newChallenge(context.database, { providerId, id: null }, 'passkey', context.now());
      const { id: rpId } = await relyingPartyOf(context.database, publicUrl, providerId);
      return { data: { challenge, rpId, userVerification: 'required' as const, allowCredentials: [] } };
    }),

    answer(signInCall, async (context, { body: { challenge, proof } }) => {
      const user = await userOfPasskey(context, proof);
      if (!(await proves(context, user, { challenge, proof, isAlone: true }))) return refuse(context, user);
      await requireOwnSignIn(context, user);
      const { providerId } = user;
      return endSignIn(context, await currentUser(context, services, user), {
        isRemembered: false,
        spend: (connection) => requireChallenge(connection, context, providerId, challenge, 'passkey'),
      });
    }),

    answer(confirmWithPasskey, (context, { body }) =>
      signInWithSecondFactor(context, body, {
        prove: (asked) => proves(context, asked, { ...body, isAlone: false }),
        wrong: 'The passkey does not count here. Use another second factor.',
      }),
    ),
  ];
}

/** The living user whose passkey this is. Throws 401 where there is none. */
async function userOfPasskey(context: PublicContext, proof: PasskeyProof): Promise<StoredUser> {
  const providerId = await providerOf(context);
  const owner = await ownerOfPasskey(context.database, providerId, proof.credentialId);
  const user = owner === null ? null : await findUserById(context.database, providerId, owner.userId);
  if (user === null) throw wrongPasskey();
  return user;
}

async function refuse(context: PublicContext, user: StoredUser): Promise<never> {
  await record(context.database, context, { action: 'session.refused-code', who: whoOf(user) });
  throw wrongPasskey();
}

function wrongPasskey(): Refusal {
  return new Refusal(401, 'WRONG_CODE', 'The passkey does not count here. Log in with your password.');
}
