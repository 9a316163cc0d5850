import type { Company } from '@keepwatch/contract/directory/companies';
import { sql } from 'drizzle-orm';
import { COMPANIES } from '../directory/companies.ts';
import { type Connection, row } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scope.ts';
import { update } from '../foundation/table-writes.ts';
import { findCompany, lockCompanies, requireFreeName } from './company-changes.ts';
import { reportingConsole } from './console-links.ts';

/** What has to be removed before a company can be. */
export interface CompanyUses {
  /** The names of the organizations of Microsoft 365 that are backed up for a company. */
  organizationsOf(connection: Connection, company: { providerId: number; id: string }): Promise<readonly string[]>;
}

/**
 * Removes a company and returns it; `null` if the scope has none of that id. Its jobs and runs remain without a company, its tokens
 * are refused, and users who are limited to it no longer reach anything of it. Throws 409 for one that a console reports, and for one with organizations of
 * Microsoft 365: they would be backed up further, and no list would show them.
 */
export async function removeCompany(
  connection: Connection,
  scope: Scope,
  id: string,
  { at, by, reason }: { at: Date; by: string; reason: string },
  { organizationsOf }: CompanyUses,
): Promise<Company | null> {
  await lockCompanies(connection, scope);
  const company = await findCompany(connection, scope, id);
  if (company === null) return null;
  const console = await reportingConsole(connection, scope, id);
  if (console !== null)
    throw conflict(
      `The console "${console}" reports "${company.name}": its next sync would bring the company back. Remove it there, then its link here.`,
    );
  const organizations = await organizationsOf(connection, { providerId: scope.providerId, id });
  if (organizations.length > 0)
    throw conflict(
      `"${company.name}" has organizations of Microsoft 365: ${organizations.join(', ')}. Remove them, or move them to another company, first.`,
    );
  await update(
    connection,
    COMPANIES,
    { deletedAt: at, deletedBy: by, deletionReason: reason },
    { providerId: scope.providerId, id },
  );
  return company;
}

/**
 * Restores a company that was removed, with its tokens and users; `null` if the scope has none. One that a sync has brought back
 * meanwhile is unchanged. Throws 409 if its name is in use since.
 */
export async function restoreRemoved(
  connection: Connection,
  scope: Scope,
  id: string,
): Promise<{ company: Company; isUnchanged: boolean } | null> {
  await lockCompanies(connection, scope);
  const present = await findCompany(connection, scope, id);
  if (present !== null) return { company: present, isUnchanged: true };
  const removed = await row<{ name: string }>(
    connection,
    sql`select c.name from ${COMPANIES} c where ${scope.companies('c')} and c.id = ${id} and c.deleted_at is not null`,
  );
  if (removed === null) return null;
  await requireFreeName(connection, scope, removed.name);
  await update(
    connection,
    COMPANIES,
    { deletedAt: null, deletedBy: null, deletionReason: null },
    { providerId: scope.providerId, id },
  );
  const company = await findCompany(connection, scope, id);
  return company === null ? null : { company, isUnchanged: false };
}
