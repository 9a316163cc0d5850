import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';

/** The sub-provider (reseller) of that name in a provider, made where there is none. Gives its id. */
export async function ensureSubProvider(connection: Connection, providerId: number, name: string): Promise<string> {
  const known = await row<{ id: string }>(
    connection,
    sql`select id from sub_providers where provider_id = ${providerId} and name = ${name}`,
  );
  if (known !== null) return known.id;
  const id = newId();
  await execute(
    connection,
    sql`insert into sub_providers (provider_id, id, name) values (${providerId}, ${id}, ${name})`,
  );
  return id;
}

/** Puts companies under a sub-provider; a company that has one keeps it. */
export async function assignCompanies(
  connection: Connection,
  providerId: number,
  subProviderId: string,
  vacIds: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`update companies set sub_provider_id = ${subProviderId}
        where provider_id = ${providerId} and vac_id = any(${sql.param(vacIds)}::text[]) and sub_provider_id is null`,
  );
}
