import type { editProfile } from '@keepwatch/contract/identity/sessions';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { lockProvider } from '../branding/brands.ts';
import { type Connection, row } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import { update } from '../foundation/table-writes.ts';
import { endLinks } from './account-links.ts';
import { users } from './tables.ts';
import { isFreeName } from './users.ts';

type Details = Omit<CallInput<typeof editProfile>['body'], 'theme' | 'preferences' | 'password'>;

/**
 * Stores what users say of themselves; what is not given stays. Links that were mailed to an earlier address no longer open. Needs a
 * transaction. @throws Refusal 409 for a user name in use, and for what comes from the directory of the provider
 */
export async function editDetails(
  connection: Connection,
  user: { providerId: number; id: string },
  { landingApp, ...details }: Details,
): Promise<void> {
  await requireOwnDetails(connection, user, details);
  if (details.username !== undefined) await requireFree(connection, user, details.username);
  if (details.email !== undefined) await endLinks(connection, user);
  const landing = landingApp === undefined ? {} : { landingPage: landingApp?.page ?? null };
  const changed = { ...details, ...landing };
  if (Object.keys(changed).length > 0) await update(connection, users, changed, user);
}

/** Name and address of an account of a directory are changed there. To what they are they can be set. */
async function requireOwnDetails(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  { username, name, email }: Pick<Details, 'username' | 'name' | 'email'>,
): Promise<void> {
  const other = await row(
    connection,
    sql`select from users u where u.provider_id = ${providerId} and u.id = ${id} and u.directory_account is not null
          and (u.username <> coalesce(${username ?? null}, u.username) or u.name <> coalesce(${name ?? null}, u.name)
            or u.email <> coalesce(${email ?? null}, u.email))`,
  );
  if (other !== null)
    throw conflict('User name, name and e-mail of this account come from the directory. Change them there.');
}

/** Upper and lower case are the same name. Of one provider one after the other, so that two cannot get one name. */
async function requireFree(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  username: string,
): Promise<void> {
  await lockProvider(connection, providerId);
  if (!(await isFreeName(connection, providerId, username, id))) throw conflict('The username already exists.');
}
