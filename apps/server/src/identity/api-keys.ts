import { type Ability, abilitiesOf } from '@keepwatch/contract/abilities';
import { type ApiKey, KEYS_MAX } from '@keepwatch/contract/identity/api-keys';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { IS_LIVING, storedUser, USER_COLUMNS, USERS, type UserRow } from '../directory/users.ts';
import { type Connection, type Pool, preparedRow, row, rows } from '../foundation/database.ts';
import { conflict, invalid, unauthenticated } from '../foundation/errors.ts';
import type { Actor } from '../foundation/http/context.ts';
import { hashOfToken, newId, newToken } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { findSecondFactors, isProtected } from './second-factors/second-factors.ts';
import { requiresSecondFactorOf } from './second-factors/sign-in-rules.ts';
import { actorFrom } from './sessions.ts';
import { apiKeys } from './tables.ts';

/** What the token of a key begins with: it is known as one where it is found, also by programs that look for secrets. */
const PREFIX = 'kwk_';
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Its last use is written at most this often. */
const USE_MS = 60_000;

const REFUSED = 'This API key has expired or was revoked. Make another one in your profile.';

/** Whether a bearer token is that of a key. */
export const isKey = (token: string): boolean => token.startsWith(PREFIX);

/** Who a key belongs to, limited to its abilities. @throws Refusal 401 for one that is not valid any more */
export async function actorOfKey(pool: Pool, token: string, address: string, now: Date): Promise<Actor> {
  const tokenHash = hashOfToken(token);
  const found = await preparedRow<
    UserRow & Pick<ApiKey, 'expiresAt' | 'lastAt' | 'abilities'> & { keyName: string; isFactorRequired: boolean }
  >(
    pool,
    'user by API key',
    sql`select k.name as "keyName", k.abilities, k.expires_at as "expiresAt", k.last_at as "lastAt",
          ${requiresSecondFactorOf(sql`k.provider_id`)} as "isFactorRequired", ${USER_COLUMNS}
        from api_keys k join ${USERS} u on u.provider_id = k.provider_id and u.id = k.user_id
        where k.token_hash = ${tokenHash} and ${IS_LIVING}`,
  );
  if (found === null || Date.parse(found.expiresAt) <= now.getTime()) throw unauthenticated(REFUSED);
  const { keyName: name, abilities, expiresAt: _, lastAt, isFactorRequired, ...user } = found;
  if (lastAt === null || Date.parse(lastAt) < now.getTime() - USE_MS)
    await update(pool, apiKeys, { lastAt: now, lastAddress: address }, { tokenHash });
  const actor = actorFrom(storedUser(user));
  // A program goes no way around the second factor that its user has to add.
  const owner = { providerId: actor.scope.providerId, id: actor.userId };
  const isToEnrol = isFactorRequired && !isProtected(await findSecondFactors(pool, owner));
  return { ...actor, mustEnrol: isToEnrol, sessionHash: tokenHash, impersonator: null, key: { name, abilities } };
}

/** Names a key in the users logs. */
export const nameOfKey: NameOfTarget = (scope, id) =>
  sql`select t.name from api_keys t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

const COLUMNS = sql`k.id as "_id", k.name, k.abilities, k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_at as "lastAt",
  k.last_address as "lastAddress"`;

const ownedBy = ({ userId, scope }: Actor): SQL => sql`k.provider_id = ${scope.providerId} and k.user_id = ${userId}`;

/** The keys of the caller, newest first. */
export function listKeys(connection: Connection, actor: Actor): Promise<ApiKey[]> {
  return rows<ApiKey>(
    connection,
    sql`select ${COLUMNS} from api_keys k where ${ownedBy(actor)} order by k.created_at desc, k.id`,
  );
}

/** Makes a key; its token is given this one time. @throws Refusal 422 for an ability that the caller does not have; 409 for too many keys */
export async function createKey(
  connection: Connection,
  actor: Actor,
  { name, abilities, days }: { name: string; abilities: readonly Ability[]; days: number },
  now: Date,
): Promise<{ key: ApiKey; token: string }> {
  const own = abilitiesOf(actor.roles);
  const beyond = abilities.find((ability) => !own.includes(ability));
  if (beyond !== undefined)
    throw invalid([{ path: 'body.abilities', message: `names ${beyond}, which you do not have` }]);
  const keys = await listKeys(connection, actor);
  if (keys.length >= KEYS_MAX) throw conflict(`You have ${KEYS_MAX} API keys. Revoke one that is not used any more.`);
  if (keys.some((key) => key.name === name)) throw conflict(`You have an API key named "${name}" already.`);
  const token = PREFIX + newToken();
  const id = newId();
  await insert(connection, apiKeys, {
    providerId: actor.scope.providerId,
    id,
    userId: actor.userId,
    name,
    tokenHash: hashOfToken(token),
    abilities: [...new Set(abilities)].toSorted(),
    createdAt: now,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
  });
  const key = await row<ApiKey>(
    connection,
    sql`select ${COLUMNS} from api_keys k where ${ownedBy(actor)} and k.id = ${id}`,
  );
  if (key === null) throw new Error(`The API key ${id} is not there after it was made.`);
  return { key, token };
}

/** Removes a key of the caller and gives what it was; `null` if the caller has none of that id. */
export async function revokeKey(connection: Connection, actor: Actor, id: string): Promise<ApiKey | null> {
  const key = await row<ApiKey>(
    connection,
    sql`select ${COLUMNS} from api_keys k where ${ownedBy(actor)} and k.id = ${id} for update`,
  );
  if (key !== null) await remove(connection, apiKeys, { providerId: actor.scope.providerId, id });
  return key;
}
