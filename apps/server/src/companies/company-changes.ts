import type { createCompany, editCompany } from '@keepwatch/contract/companies/companies';
import type { Company } from '@keepwatch/contract/directory/companies';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { lockProvider } from '../branding/brands.ts';
import { COMPANIES, COMPANY_COLUMNS, companiesWithin, companyTables } from '../directory/companies.ts';
import { every } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scope.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, update } from '../foundation/table-writes.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { reportingConsole } from './console-links.ts';
import { changeConsoleLinks, type LinkChanges } from './link-changes.ts';

/**
 * Begins a change of the provider's companies: one after the other, so that two cannot get the same name at the same moment. Needs a
 * transaction. Throws 403 for a user who is limited to companies.
 */
export async function lockCompanies(connection: Connection, scope: Scope): Promise<void> {
  const providerId = wholeProvider({ scope });
  await lockProvider(connection, providerId);
}

/** Throws 409 for a name in use: two companies of the same name are only right where a console says so. */
export async function requireFreeName(connection: Connection, scope: Scope, name: string): Promise<void> {
  const known = await row<{ name: string }>(
    connection,
    sql`select c.name from ${COMPANIES} c where ${every(companiesWithin(scope))} and lower(c.name) = lower(${name}) limit 1`,
  );
  if (known !== null)
    throw conflict(`There is a company named "${known.name}" already. Use that one, or give this one another name.`);
}

/** Reads a company; `null` if it is outside the scope or was removed. */
export function findCompany(connection: Connection, scope: Scope, id: string): Promise<Company | null> {
  const alone = scope.narrowedTo([id]);
  return row<Company>(
    connection,
    sql`select ${COMPANY_COLUMNS} from ${companyTables(alone)} where ${every(companiesWithin(alone))}`,
  );
}

/** Adds a company that no console knows: one whose tools report on their own. */
export async function addCompany(
  connection: Connection,
  scope: Scope,
  { name, email, phone }: CallInput<typeof createCompany>['body'],
): Promise<Company> {
  await lockCompanies(connection, scope);
  await requireFreeName(connection, scope, name);
  const id = newId();
  await insert(connection, COMPANIES, { providerId: scope.providerId, id, name, email, phone });
  const added = await findCompany(connection, scope, id);
  if (added === null) throw new Error(`The company ${id} is not there after it was added.`);
  return added;
}

export type CompanyEdit = CallInput<typeof editCompany>['body'];

/**
 * Changes a company; `null` if the scope has none of that id. Throws 409 for a name in use, and for a name or status that comes from
 * a console, whose next sync would bring the old one back.
 */
export async function changeCompany(
  connection: Connection,
  scope: Scope,
  id: string,
  { email, phone, isManaged, links, ...given }: CompanyEdit,
): Promise<{ before: Company; after: Company; links: LinkChanges } | null> {
  await lockCompanies(connection, scope);
  const before = await findCompany(connection, scope, id);
  if (before === null) return null;
  const { name = before.name, isActive = before.isActive } = given;
  const linkChanges = await changeConsoleLinks(connection, scope, before._id, links);
  if (name !== before.name || isActive !== before.isActive) {
    const console = await reportingConsole(connection, scope, id);
    if (console !== null)
      throw conflict(`Name and status of "${before.name}" come from the console "${console}". Change them there.`);
  }
  if (name.toLowerCase() !== before.name.toLowerCase()) await requireFreeName(connection, scope, name);
  const changes = { name, email: email ?? null, phone: phone ?? null, isActive, isManaged };
  await update(connection, COMPANIES, changes, { providerId: scope.providerId, id });
  const after = await findCompany(connection, scope, id);
  return after === null ? null : { before, after, links: linkChanges };
}
