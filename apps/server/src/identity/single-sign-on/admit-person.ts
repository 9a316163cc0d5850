import { createHash } from 'node:crypto';
import type { IdentityRules, ProvedPerson } from '@keepwatch/connectors/ports/identity-provider';
import type { GroupLine } from '@keepwatch/contract/identity/identity-providers';
import { sql } from 'drizzle-orm';
import { record } from '../../audit/audit.ts';
import { lockProvider } from '../../branding/brands.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import { addOutsideUser, followOutsideUser } from '../../directory/outside-users.ts';
import { findUserById, IS_LIVING, type StoredUser, USERS, whoOf } from '../../directory/users.ts';
import { type Connection, row, transaction } from '../../foundation/database.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { insert } from '../../foundation/table-writes.ts';
import { userIdentities } from '../tables.ts';
import { groupLinesOf, lineOf } from './group-roles.ts';
import { NotAdmitted } from './not-admitted.ts';

/**
 * The user that a proved person is here, with the roles and companies that the groups give now; a new one where the rules allow that.
 * Throws `NotAdmitted` with what the person reads.
 */
export function admitPerson(
  context: PublicContext,
  stored: StoredConnection,
  rules: IdentityRules,
  person: ProvedPerson,
): Promise<StoredUser> {
  return transaction(context.database, async (connection) => {
    const { providerId } = stored;
    // Else two sign-ins of one person could add two users, and one could change a user while an administrator does.
    await lockProvider(connection, providerId);
    const known = await findIdentity(connection, providerId, person);
    if (known?.isLiving === false) throw new NotAdmitted('disabled', stored.name, known.userId);
    const line = lineOf(await groupLinesOf(connection, stored), groupsOf(person, stored.name));
    if (line === null) throw new NotAdmitted('no group', stored.name, known?.userId ?? null);
    if (known === null && !rules.createsUsers) throw new NotAdmitted('not known', stored.name, null);
    const id = known === null ? await add(connection, providerId, person, line) : known.userId;
    await touchIdentity(connection, { providerId, id }, person, context.now());
    const before =
      known === null ? null : await followOutsideUser(connection, { providerId, id }, { ...person, ...line });
    const user = await findUserById(connection, providerId, id);
    if (user === null) throw new Error(`The user ${id} is not there after the sign-in.`);
    await recordPowers(connection, context, user, { isNew: known === null, before });
    return user;
  });
}

interface Identity {
  userId: string;
  isLiving: boolean;
}

function findIdentity(
  connection: Connection,
  providerId: number,
  { issuer, subject }: ProvedPerson,
): Promise<Identity | null> {
  return row<Identity>(
    connection,
    sql`select i.user_id as "userId", (${IS_LIVING}) as "isLiving"
        from user_identities i join ${USERS} u on u.provider_id = i.provider_id and u.id = i.user_id
        where i.provider_id = ${providerId} and i.issuer = ${issuer} and i.subject = ${subject}`,
  );
}

async function touchIdentity(
  connection: Connection,
  { providerId, id: userId }: { providerId: number; id: string },
  { issuer, subject }: ProvedPerson,
  now: Date,
): Promise<void> {
  const identity = { providerId, issuer, subject, userId, createdAt: now, lastAt: now };
  await insert(
    connection,
    userIdentities,
    identity,
    sql`on conflict (provider_id, issuer, subject) do update set last_at = excluded.last_at`,
  );
}

function groupsOf({ groups }: ProvedPerson, name: string): readonly string[] {
  if (groups === null) throw new NotAdmitted('too many groups', name, null);
  return groups;
}

function add(connection: Connection, providerId: number, person: ProvedPerson, line: GroupLine): Promise<string> {
  const mark = createHash('sha256').update(`${person.issuer} ${person.subject}`).digest('hex');
  // A name that another user has is not given, and none of the provider's is trusted to be free.
  const names = [person.userName, `user-${mark.slice(0, 8)}`, `user-${mark.slice(0, 32)}`];
  return addOutsideUser(connection, providerId, names, { ...person, ...line });
}

/** What the sign-in has changed, for the users logs. */
async function recordPowers(
  connection: Connection,
  context: PublicContext,
  user: StoredUser,
  { isNew, before }: { isNew: boolean; before: Awaited<ReturnType<typeof followOutsideUser>> },
): Promise<void> {
  if (!isNew && before === null) return;
  const { username, name, roles, companyIds } = user;
  await record(connection, context, {
    action: isNew ? 'user.create' : 'user.edit',
    target: { kind: 'user', id: user.id },
    who: whoOf(user),
    ...(before === null ? {} : { before }),
    after: isNew ? { username, name, roles, companyIds } : { roles, companyIds },
  });
}
