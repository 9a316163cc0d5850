import { isOfIssuer } from '@keepwatch/connectors/ports/identity-provider';
import { SIGNED_OUT_PATH } from '@keepwatch/contract/identity/single-sign-on';
import { sql } from 'drizzle-orm';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { connectionsOf, type StoredConnection } from '../../connections/connections.ts';
import { openConnection } from '../../connections/use-connection.ts';
import { type Connection, row } from '../../foundation/database.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { brandAddressOf } from './redirect-address.ts';
import { IDENTITY_PORT } from './sign-in-ways.ts';

/** A person who signs out does not wait longer for the address. */
const PATIENCE_MS = 5_000;

/**
 * Where the browser of a user who has signed in through an identity provider signs out there, too; `null` where there is no such place. The session here
 * is over already, so that nothing that goes wrong there refuses the sign-out.
 */
export async function signOutAddress(
  context: SignedInContext,
  services: ConnectionServices & { publicUrl: string },
): Promise<string | null> {
  const { database, actor, scope, outside } = context;
  const stored = await findUsed(database, { providerId: scope.providerId, id: actor.userId });
  if (stored === null || actor.impersonator !== null) return null;
  try {
    const provider = await openConnection(services, IDENTITY_PORT, stored);
    const returnAddress = await brandAddressOf(database, services.publicUrl, scope.providerId, SIGNED_OUT_PATH);
    const signalOf = (gone: AbortSignal) => AbortSignal.any([gone, AbortSignal.timeout(PATIENCE_MS)]);
    const address = await outside((gone) => provider.signOut(returnAddress, signalOf(gone)));
    return address?.href ?? null;
  } catch (error) {
    services.log.warn({ err: error, connectionId: stored.id }, 'A user was not signed out at the identity provider.');
    return null;
  }
}

/** The identity provider through which a user has signed in last: all such users have no other way in. */
async function findUsed(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<StoredConnection | null> {
  const identity = await row<{ issuer: string }>(
    connection,
    sql`select issuer from user_identities where provider_id = ${providerId} and user_id = ${id} order by last_at desc limit 1`,
  );
  if (identity === null) return null;
  const found = await connectionsOf(connection, providerId, IDENTITY_PORT);
  return found.find(({ settings }) => isOfIssuer(settings, identity.issuer)) ?? null;
}
