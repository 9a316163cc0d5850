import { sql } from 'drizzle-orm';
import { linksOf } from '../connections/company-links.ts';
import type { ConnectionKey } from '../connections/connection-settings.ts';
import { type Connection, execute, row } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { insert } from '../foundation/table-writes.ts';
import { subProviders } from './tables.ts';

/** The sub-provider (reseller) of that name in a provider, made where there is none. Gives its id. */
export async function ensureSubProvider(connection: Connection, providerId: number, name: string): Promise<string> {
  const known = await row<{ id: string }>(
    connection,
    sql`select id from sub_providers where provider_id = ${providerId} and name = ${name}`,
  );
  if (known !== null) return known.id;
  const id = newId();
  await insert(connection, subProviders, { providerId, id, name });
  return id;
}

/** Puts the companies that have these ids in a console under a sub-provider; a company that has one keeps it. */
export async function assignCompanies(
  connection: Connection,
  console: ConnectionKey,
  subProviderId: string,
  externalIds: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`update companies c set sub_provider_id = ${subProviderId} from ${linksOf(console)}
        where l.external_id = any(${sql.param(externalIds)}::text[])
          and c.provider_id = ${console.providerId} and c.id = l.company_id and c.sub_provider_id is null`,
  );
}
