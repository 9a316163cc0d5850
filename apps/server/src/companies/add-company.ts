import type { createCompany } from '@keepwatch/contract/companies/companies';
import type { Company } from '@keepwatch/contract/directory/companies';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { COMPANY_COLUMNS, companiesWithin, companyTables } from '../directory/companies.ts';
import { every } from '../foundation/conditions.ts';
import { type Connection, execute, row } from '../foundation/database.ts';
import { conflict, forbidden } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scope.ts';
import { newId } from '../foundation/secrets.ts';

export type NewCompany = CallInput<typeof createCompany>['body'];

/**
 * Adds a company that no console knows: one whose tools report on their own. Needs a transaction.
 * Throws 403 for a user who is limited to companies, as a new one would be outside that scope, and 409 for a name in use:
 * two companies of the same name are only right where a console says so.
 */
export async function addCompany(
  connection: Connection,
  scope: Scope,
  { name, email, phone }: NewCompany,
): Promise<Company> {
  if (scope.companyIds !== null) throw forbidden();
  const { providerId } = scope;
  // One after the other in a provider, so that two of the same name cannot be added at the same moment.
  await execute(connection, sql`select from providers where id = ${providerId} for no key update`);
  const taken = await row<{ name: string }>(
    connection,
    sql`select c.name from companies c where ${every(companiesWithin(scope))} and lower(c.name) = lower(${name}) limit 1`,
  );
  if (taken !== null)
    throw conflict(`There is a company named "${taken.name}" already. Use that one, or give this one another name.`);
  const id = newId();
  await execute(
    connection,
    sql`insert into companies (provider_id, id, name, email, phone)
        values (${providerId}, ${id}, ${name}, ${email ?? null}, ${phone ?? null})`,
  );
  const added = await row<Company>(
    connection,
    sql`select ${COMPANY_COLUMNS} from ${companyTables(scope.narrowedTo([id]))} where ${scope.companies('c')} and c.id = ${id}`,
  );
  if (added === null) throw new Error(`The company ${id} is not there after it was added.`);
  return added;
}
