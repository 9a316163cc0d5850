import type { IdentityProvider } from '@keepwatch/contract/identity/identity-providers';
import { portConnectionsOf } from '../../connections/connections.ts';
import type { Connection } from '../../foundation/database.ts';
import { groupLinesOf } from './group-roles.ts';
import { IDENTITY_PORT } from './sign-in-ways.ts';

/** The identity providers of a provider, also those that are switched off, with what their groups give; with `id` that one alone. */
export async function identityProvidersOf(
  connection: Connection,
  providerId: number,
  id?: string,
): Promise<IdentityProvider[]> {
  const found = await portConnectionsOf(connection, providerId, IDENTITY_PORT);
  const requested = found.filter((one) => id === undefined || one.id === id.toLowerCase());
  const shown: IdentityProvider[] = [];
  for (const { name, isEnabled, ...key } of requested)
    shown.push({ _id: key.id, name, isEnabled, groups: [...(await groupLinesOf(connection, key))] });
  return shown;
}
