import type { GroupLine } from '@keepwatch/contract/identity/identity-providers';
import { sql } from 'drizzle-orm';
import { COMPANIES, companiesWithin } from '../../directory/companies.ts';
import { every } from '../../foundation/conditions.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { invalid } from '../../foundation/errors.ts';
import type { Scope } from '../../foundation/scope.ts';
import { insert } from '../../foundation/table-writes.ts';
import { groupRoles } from '../tables.ts';

interface ConnectionKey {
  providerId: number;
  id: string;
}

/** What the groups of an identity provider give, line by line. */
export async function groupLinesOf(
  connection: Connection,
  { providerId, id }: ConnectionKey,
): Promise<readonly GroupLine[]> {
  const found = await row<{ lines: GroupLine[] }>(
    connection,
    sql`select g.lines from group_roles g where g.provider_id = ${providerId} and g.connection_id = ${id}`,
  );
  return found?.lines ?? [];
}

/** Stores what the groups give. Throws 422 for a company that is not within reach, and for a group that is named twice. */
export async function storeGroupLines(
  connection: Connection,
  scope: Scope,
  id: string,
  lines: readonly GroupLine[],
): Promise<void> {
  requireOnce(lines);
  await requireCompanies(connection, scope, lines);
  const row = { providerId: scope.providerId, connectionId: id, lines };
  await insert(
    connection,
    groupRoles,
    row,
    sql`on conflict (provider_id, connection_id) do update set lines = excluded.lines`,
  );
}

/** The line that counts for a person: the first whose group the person is in, letter by letter. */
export function lineOf(lines: readonly GroupLine[], groups: readonly string[]): GroupLine | null {
  return lines.find(({ group }) => groups.includes(group)) ?? null;
}

function requireOnce(lines: readonly GroupLine[]): void {
  const twice = lines.findIndex(({ group }, index) => lines.slice(0, index).some((before) => before.group === group));
  if (twice !== -1)
    throw invalid([{ path: `body.groups.${twice}.group`, message: 'has a line already, which counts in its place' }]);
}

async function requireCompanies(connection: Connection, scope: Scope, lines: readonly GroupLine[]): Promise<void> {
  const ids = [...new Set(lines.flatMap(({ companyIds }) => companyIds ?? []).map((id) => id.toLowerCase()))];
  const known = await rows<{ id: string }>(
    connection,
    sql`select c.id from ${COMPANIES} c where ${every(companiesWithin(scope))} and c.id = any(${sql.param(ids)}::uuid[])`,
  );
  const isUnknown = (id: string) => !known.some((company) => company.id === id.toLowerCase());
  const wrong = lines.findIndex(({ companyIds }) => companyIds?.some(isUnknown));
  if (wrong !== -1)
    throw invalid([{ path: `body.groups.${wrong}.companyIds`, message: 'names a company that was not found' }]);
}
