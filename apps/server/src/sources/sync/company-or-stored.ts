import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { ConnectionKey } from '../../connections/connection-settings.ts';

/**
 * The company of a reported row (alias `k`): the stored one if it could not be read this time, and none if a user has unlinked it
 * (`isUnlinked`).
 */
export function companyOrStored(table: PgTable, { providerId, id }: ConnectionKey): SQL {
  return sql`coalesce(k."companyId", case when not k."isUnlinked" then (select stored.company_id from ${table} stored
    where stored.provider_id = ${providerId} and stored.source_id = ${id} and stored.external_id = k."externalId") end)`;
}
