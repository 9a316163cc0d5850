import type {
  NewPasskeyProof,
  NewPasskeyRequest,
  PasskeyProof,
  PasskeyRequest,
} from '@keepwatch/contract/identity/passkey-fields';
import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { conflict } from '../../foundation/errors.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { passkeys } from '../tables.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import type { UserKey } from './user-key.ts';

const PASSKEYS_MAX = 20;
/** EdDSA, ES256 and RS256: what all browsers and keys have. */
const ALGORITHMS = [-8, -7, -257] as const;

/** Names a passkey in the users logs. */
export const nameOfPasskey: NameOfTarget = (scope, id) =>
  sql`select t.name from passkeys t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** The passkeys of a user, oldest first. */
export function listPasskeys(connection: Connection, { providerId, id }: UserKey): Promise<SecondFactors['passkeys']> {
  return rows(
    connection,
    sql`select id as "_id", name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
        where provider_id = ${providerId} and user_id = ${id} order by created_at, id`,
  );
}

/** What a browser makes a new passkey of a user from. */
export async function newPasskeyRequestOf(
  connection: Connection,
  party: RelyingParty,
  user: UserKey & { username: string },
  challenge: string,
): Promise<NewPasskeyRequest> {
  return {
    challenge,
    rp: { id: party.id, name: party.name },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.username, displayName: user.username },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: await credentialsOf(connection, user),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  };
}

/** What a browser proves with one of a user's passkeys; `null` for a user without one. */
export async function requestOf(
  connection: Connection,
  publicUrl: string,
  user: UserKey,
  challenge: string,
): Promise<PasskeyRequest | null> {
  const allowCredentials = await credentialsOf(connection, user);
  if (allowCredentials.length === 0) return null;
  const { id: rpId } = await relyingPartyOf(connection, publicUrl, user.providerId);
  return { challenge, rpId, userVerification: 'preferred', allowCredentials };
}

async function credentialsOf(
  connection: Connection,
  { providerId, id }: UserKey,
): Promise<PasskeyRequest['allowCredentials']> {
  const stored = await rows<{ id: string; transports: string[] }>(
    connection,
    sql`select credential_id as id, transports from passkeys where provider_id = ${providerId} and user_id = ${id} order by created_at`,
  );
  return stored.map((credential) => ({ ...credential, type: 'public-key' }));
}

/** Adds a passkey, and gives its id; `null` where the proof is not one for the challenge. Throws 409 for one that is there, or one too many. */
export async function addPasskey(
  connection: Connection,
  party: RelyingParty,
  user: UserKey,
  given: { name: string; challenge: string; proof: NewPasskeyProof },
  now: Date,
): Promise<string | null> {
  const credential = await newCredentialOf(party, given.challenge, given.proof);
  if (credential === null) return null;
  if ((await listPasskeys(connection, user)).length >= PASSKEYS_MAX)
    throw conflict(`You have ${PASSKEYS_MAX} passkeys. Remove one that you do not use.`);
  const passkey = {
    ...{ providerId: user.providerId, id: newId(), userId: user.id, name: given.name, createdAt: now },
    ...{ credentialId: credential.id, publicKey: Buffer.from(credential.publicKey) },
    ...{ signCount: credential.counter, transports: sql`${sql.param(given.proof.transports)}::text[]` },
  };
  const added = await insert(connection, passkeys, passkey, sql`on conflict (provider_id, credential_id) do nothing`);
  if (added === 0) throw conflict('This passkey was added already.');
  return passkey.id;
}

async function newCredentialOf(party: RelyingParty, challenge: string, proof: NewPasskeyProof) {
  const { credentialId: id, clientDataJSON, attestationObject } = proof;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
    });
    return verified ? registrationInfo.credential : null;
  } catch {
    // The library throws for whatever is wrong with it.
    return null;
  }
}

/** Whose passkey this is, of a provider. */
export function ownerOfPasskey(
  connection: Connection,
  providerId: number,
  credentialId: string,
): Promise<{ userId: string } | null> {
  return row(
    connection,
    sql`select user_id as "userId" from passkeys where provider_id = ${providerId} and credential_id = ${credentialId}`,
  );
}

/** Whether the proof is one of the user's passkeys for this challenge. `isAlone`: its device has to make sure who uses it. */
export async function usePasskey(
  connection: Connection,
  party: RelyingParty,
  { providerId, id: userId }: UserKey,
  { challenge, proof, isAlone }: { challenge: string; proof: PasskeyProof; isAlone: boolean },
  now: Date,
): Promise<boolean> {
  const stored = await row<{ id: string; publicKey: Buffer; signCount: number }>(
    connection,
    sql`select id, public_key as "publicKey", sign_count as "signCount" from passkeys
        where provider_id = ${providerId} and user_id = ${userId} and credential_id = ${proof.credentialId}`,
  );
  if (stored === null) return false;
  const signCount = await signCountOf(party, stored, { challenge, proof, isAlone });
  if (signCount === null) return false;
  // Of a key and its copy that sign at once, with the same count, one is let in.
  const unused = sql`provider_id = ${providerId} and id = ${stored.id} and sign_count = ${stored.signCount}`;
  return (await update(connection, passkeys, { signCount, lastUsedAt: now }, unused)) === 1;
}

/** The new count of signatures; `null` for a proof that is wrong. One whose count did not grow comes from a copy, and is wrong. */
async function signCountOf(
  party: RelyingParty,
  stored: { publicKey: Buffer; signCount: number },
  { challenge, proof, isAlone }: { challenge: string; proof: PasskeyProof; isAlone: boolean },
): Promise<number | null> {
  const { credentialId: id, ...response } = proof;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: isAlone,
      credential: { id, publicKey: new Uint8Array(stored.publicKey), counter: stored.signCount },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** Gives a passkey of a user another name, and returns the one it had; `null` for none of that id. */
export async function renamePasskey(
  connection: Connection,
  user: UserKey,
  id: string,
  name: string,
): Promise<string | null> {
  const before = await nameOf(connection, user, id);
  if (before !== null) await update(connection, passkeys, { name }, { providerId: user.providerId, id });
  return before;
}

/** Removes a passkey of a user, and returns its name; `null` for none of that id. */
export async function removePasskey(connection: Connection, user: UserKey, id: string): Promise<string | null> {
  const before = await nameOf(connection, user, id);
  if (before !== null) await remove(connection, passkeys, { providerId: user.providerId, id });
  return before;
}

/** Removes all passkeys of a user. */
export async function removePasskeys(connection: Connection, { providerId, id: userId }: UserKey): Promise<void> {
  await remove(connection, passkeys, { providerId, userId });
}

async function nameOf(connection: Connection, { providerId, id: userId }: UserKey, id: string): Promise<string | null> {
  const stored = await row<{ name: string }>(
    connection,
    sql`select name from passkeys where provider_id = ${providerId} and user_id = ${userId} and id = ${id} for update`,
  );
  return stored?.name ?? null;
}
