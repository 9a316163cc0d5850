import { allows, ROLES, type Role } from '@keepwatch/contract/abilities';
import type { Place } from '../../web/src/kit/place.ts';
import { buildUser } from '../../web/src/testing/builders.ts';

/** Accounts of the demonstration with their roles, the one with the fewest abilities first. */
const ACCOUNTS: readonly (readonly [username: string, roles: readonly Role[]])[] = [
  ['operator', ['operator']],
  ['admin', ['admin']],
  ['super', ['super-admin']],
  ['m365', ['o365_admin']],
  ['everything', ROLES],
];

/** The account that opens a place by its ability, in an application that admits it. `null`: who is not signed in. */
export function accountOf({ path, access, application }: Place): string | null {
  if (access === 'everybody' || access === 'signed-out') return null;
  const mayOpen = (roles: readonly Role[]) =>
    (access === 'signed-in' || allows(roles, access)) &&
    application?.admits?.(buildUser({ roles: [...roles] })) !== false;
  const [username] = ACCOUNTS.find(([, roles]) => mayOpen(roles)) ?? [];
  if (username === undefined) throw new Error(`No account of the demonstration opens ${path}.`);
  return username;
}
