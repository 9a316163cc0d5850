import type { ConnectionHealth } from '@keepwatch/contract/connections/connections';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { type Connection as Database, row, rows } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { announce } from '../foundation/outbox/domain-events.ts';
import { insert, update } from '../foundation/table-writes.ts';
import { connectionFails, connectionWorks } from './connection-events.ts';
import type { ConnectionKey, StoredSettings } from './connection-settings.ts';
import { isManagedHere } from './managed-ports.ts';
import { connections } from './tables.ts';

/** An outside system as stored: how to reach it, and what for. */
export interface StoredConnection extends ConnectionKey, StoredSettings {
  port: string;
  kind: string;
  name: string;
  isEnabled: boolean;
}

/** The fields of a connection (alias `n`) that `StoredConnection` adds to its key. */
export const CONNECTION_COLUMNS: SQL = sql`n.port, n.kind, n.name, n.is_enabled as "isEnabled", n.settings, n.secrets`;

/** Names a connection in the users logs. */
export const nameOfConnection: NameOfTarget = (scope, id) =>
  sql`select t.name from connections t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** Joins the connection (alias `n`) that shares its id with a row, given by its alias. */
export function connectionOf(alias: string): SQL {
  const table = sql.identifier(alias);
  return sql`join connections n on n.provider_id = ${table}.provider_id and n.id = ${table}.id`;
}

/**
 * Lists connections of all providers that are switched on and were neither tested nor used since a time, those first that were not for
 * longest.
 */
export function listUnused(database: Database, since: Date, limit: number): Promise<StoredConnection[]> {
  return rows<StoredConnection>(
    database,
    sql`select n.provider_id as "providerId", n.id, ${CONNECTION_COLUMNS} from connections n
        where n.deleted_at is null and n.is_enabled and (n.health_checked_at is null or n.health_checked_at < ${since})
        order by n.health_checked_at nulls first, n.provider_id, n.id limit ${limit}`,
  );
}

/** Reads a connection; `null` if the provider has none of that id. */
export function findConnection(database: Database, providerId: number, id: string): Promise<StoredConnection | null> {
  return row<StoredConnection>(
    database,
    sql`select n.provider_id as "providerId", n.id, ${CONNECTION_COLUMNS} from connections n
        where n.provider_id = ${providerId} and n.id = ${id} and n.deleted_at is null`,
  );
}

/** Reads the connections of a port that are switched on, by name. */
export function connectionsOf(database: Database, providerId: number, port: string): Promise<StoredConnection[]> {
  return rows<StoredConnection>(
    database,
    sql`select n.provider_id as "providerId", n.id, ${CONNECTION_COLUMNS} from connections n
        where n.provider_id = ${providerId} and n.port = ${port} and n.is_enabled and n.deleted_at is null order by lower(n.name), n.id`,
  );
}

/** The same, also those that are switched off. */
export function portConnectionsOf(database: Database, providerId: number, port: string): Promise<StoredConnection[]> {
  return rows<StoredConnection>(
    database,
    sql`select n.provider_id as "providerId", n.id, ${CONNECTION_COLUMNS} from connections n
        where n.provider_id = ${providerId} and n.port = ${port} and n.deleted_at is null order by lower(n.name), n.id`,
  );
}

/** Whether a port of a provider has a connection that is switched on. */
export async function hasConnection(database: Database, providerId: number, port: string): Promise<boolean> {
  return (await connectionsOf(database, providerId, port)).length > 0;
}

/** Locks a connection until the end of the transaction and reads it; `null` if the provider has none of that id, or no longer. */
export function lockConnection(
  database: Database,
  { providerId, id }: ConnectionKey,
): Promise<StoredConnection | null> {
  return row<StoredConnection>(
    database,
    sql`select n.provider_id as "providerId", n.id, ${CONNECTION_COLUMNS} from connections n
        where n.provider_id = ${providerId} and n.id = ${id} and n.deleted_at is null for update`,
  );
}

/** Inserts a new connection. */
export function insertConnection(database: Database, connection: StoredConnection, at: Date): Promise<void> {
  return insertOr(database, connection, at);
}

/** Inserts a connection, or stores its settings again where it is known; one that was removed is back. For those that the program itself provides. */
export function provideConnection(database: Database, connection: StoredConnection, at: Date): Promise<void> {
  return insertOr(
    database,
    connection,
    at,
    sql`on conflict (provider_id, id) do update set name = excluded.name, is_enabled = excluded.is_enabled, settings = excluded.settings,
          secrets = excluded.secrets, deleted_at = null`,
  );
}

async function insertOr(database: Database, connection: StoredConnection, at: Date, onConflict?: SQL): Promise<void> {
  const { providerId, id, port, kind, name, isEnabled, settings, secrets } = connection;
  const inserted = { providerId, id, port, kind, name, isEnabled, settings, secrets, createdAt: at };
  await insert(database, connections, inserted, onConflict);
  await publish(database, { name: 'connections.changed', providerId });
}

/** Updates a connection. The caller has locked it: one that is removed meanwhile must not come back. */
export async function updateConnection(database: Database, connection: StoredConnection): Promise<void> {
  const { providerId, id, name, isEnabled, settings, secrets } = connection;
  await update(database, connections, { name, isEnabled, settings, secrets }, { providerId, id });
  await publish(database, { name: 'connections.changed', providerId });
}

/** Removes a connection and its secrets. Its row remains for the ids that companies have in it. */
export async function removeConnection(database: Database, { providerId, id }: ConnectionKey, at: Date): Promise<void> {
  const unknown = { health: null, healthSince: null, healthCheckedAt: null, healthMessage: null };
  await update(database, connections, { deletedAt: at, secrets: null, ...unknown }, { providerId, id });
  await publish(database, { name: 'connections.changed', providerId });
}

/** Whether a connection worked, and what was found out. */
export interface RecordedHealth {
  state: ConnectionHealth['state'];
  message: string;
}

/**
 * Records whether a connection works, as of its last test or use. `since` is when it began to be so: a failure that repeats with
 * another reason is still the same. In a transaction: it announces failures and their end, unless the connection is watched elsewhere.
 */
export async function recordHealth(
  database: Database,
  key: ConnectionKey,
  { state, message }: RecordedHealth,
  at: Date,
): Promise<void> {
  const recorded = await row<{ port: string; name: string; isEnabled: boolean; since: Date; before: string | null }>(
    database,
    sql`update connections n set health_since = case when b.health = ${state} then b.health_since else ${at}::timestamptz end,
          health = ${state}, health_checked_at = ${at}, health_message = ${message}
        from (select provider_id, id, health, health_since from connections
          where provider_id = ${key.providerId} and id = ${key.id} and deleted_at is null for update) b
        where n.provider_id = b.provider_id and n.id = b.id
        returning n.port, n.name, n.is_enabled as "isEnabled", n.health_since as since, b.health as before`,
  );
  if (recorded === null) return;
  await publish(database, { name: 'connections.changed', providerId: key.providerId });
  if (!isManagedHere(recorded.port)) return;
  const { name, isEnabled, since, before } = recorded;
  if (state === 'failing' && isEnabled)
    await announce(database, connectionFails, key, { name, since: new Date(since).toISOString(), reason: message });
  if (state === 'ok' && before === 'failing') await announce(database, connectionWorks, key, {});
}

/** A connection as the list of all ports shows it. */
export interface ListedConnection extends Omit<StoredConnection, 'providerId' | 'secrets'> {
  health: ConnectionHealth | null;
  companies: number;
}

interface ListedRow extends Omit<ListedConnection, 'health'> {
  state: ConnectionHealth['state'] | null;
  since: string;
  checkedAt: string;
  message: string;
}

/** Joins the company that a row (by its alias) belongs to as `c`, unless it was removed. Companies are of a capability above this one. */
export type CompanyJoin = (alias: string) => SQL;

/** Lists the connections of a provider by port and name, or the one with an id. */
export async function listConnections(
  database: Database,
  companyOf: CompanyJoin,
  providerId: number,
  id?: string,
): Promise<ListedConnection[]> {
  const one = id === undefined ? sql`true` : sql`n.id = ${id}`;
  const found = await rows<ListedRow>(
    database,
    sql`select n.id, n.port, n.kind, n.name, n.is_enabled as "isEnabled", n.settings, coalesce(l.companies, 0) as companies,
          n.health as state, n.health_since as since, n.health_checked_at as "checkedAt", n.health_message as message
        from connections n
        left join (select l.connection_id, count(c.id) as companies from company_links l ${companyOf('l')}
          where l.provider_id = ${providerId} and l.state = 'linked' group by l.connection_id) l
          on l.connection_id = n.id
        where n.provider_id = ${providerId} and ${one} and n.deleted_at is null order by n.port, lower(n.name), n.id`,
  );
  return found.map(({ state, since, checkedAt, message, ...connection }) => ({
    ...connection,
    health: state === null ? null : { state, since, checkedAt, message },
  }));
}

/** Reads the secrets of one connection, to try a key with them; `null` if there are none. */
export function findSealedSecrets(database: Database): Promise<(ConnectionKey & { secrets: Buffer }) | null> {
  return row<ConnectionKey & { secrets: Buffer }>(
    database,
    sql`select id, provider_id as "providerId", secrets from connections where secrets is not null
        order by deleted_at is null desc, created_at desc limit 1`,
  );
}
