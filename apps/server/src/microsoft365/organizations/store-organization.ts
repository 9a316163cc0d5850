import { type SQL, sql } from 'drizzle-orm';
import { COMPANIES, companiesWithin } from '../../directory/companies.ts';
import { every } from '../../foundation/conditions.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { Scope } from '../../foundation/scope.ts';
import { insert, type NewRow } from '../../foundation/table-writes.ts';
import { m365Organizations } from '../tables.ts';
import type { OrganizationKey } from './organization-services.ts';

/** The name of a company within reach. @throws 404 */
export async function requireCompany(connection: Connection, scope: Scope, id: string): Promise<string> {
  const conditions: SQL[] = [...companiesWithin(scope), sql`c.id = ${id}`];
  const found = await row<{ name: string }>(
    connection,
    sql`select c.name from ${COMPANIES} c where ${every(conditions)}`,
  );
  if (found === null) throw notFound('company');
  return found.name;
}

/** Adds an organization that the built-in engine backs up. */
export function insertOrganization(
  connection: Connection,
  row: Omit<NewRow<typeof m365Organizations>, 'engine' | 'createdAt'>,
  createdAt: Date,
): Promise<number> {
  return insert(connection, m365Organizations, { ...row, engine: 'built-in', createdAt });
}

/** Whether an organization is there, in whichever company. */
export async function isStored(connection: Connection, { providerId, id }: OrganizationKey): Promise<boolean> {
  const found = await row(
    connection,
    sql`select o.id from m365_organizations o where o.provider_id = ${providerId} and o.id = ${id}`,
  );
  return found !== null;
}

/** Returns when an organization was connected; `null` for one that is not there. */
export async function readConnectedAt(
  connection: Connection,
  { providerId, id }: OrganizationKey,
): Promise<Date | null> {
  const found = await row<{ at: string }>(
    connection,
    sql`select o.created_at as at from m365_organizations o where o.provider_id = ${providerId} and o.id = ${id}`,
  );
  return found === null ? null : new Date(found.at);
}

/** @throws Refusal 409 where an organization of the provider has the tenant */
export async function requireFreeTenant(connection: Connection, providerId: number, tenantId: string): Promise<void> {
  const found = await row(
    connection,
    sql`select o.id from m365_organizations o where o.provider_id = ${providerId} and o.tenant_id = ${tenantId}`,
  );
  if (found !== null) throw connectedAlready();
}

/** The same where another request was quicker: the unique index of tenants. */
export async function refusingDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isDuplicate =
      error instanceof Error && 'constraint' in error && error.constraint === 'm365_organizations_tenant';
    throw isDuplicate ? connectedAlready() : error;
  }
}

const connectedAlready = () =>
  new Refusal(
    409,
    'TENANT_CONNECTED',
    'This tenant is connected already, as an organization of this or another company. A tenant is backed up by one organization: edit that one.',
  );
