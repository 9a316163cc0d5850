import type { RetentionGroup } from '@keepwatch/contract/microsoft365/dashboard';
import { sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { type Connection, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { organizationsWithin } from '../licensing/license-days.ts';

type RepositoryRow = RetentionGroup['repositories'][number] & Pick<RetentionGroup, 'retentionPolicy'>;

/** Reads repositories by how long they keep what is no longer current, those that keep it for ever last. */
export async function readRetentions(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
): Promise<RetentionGroup[]> {
  const found = await rows<RepositoryRow>(
    connection,
    sql`select r.id, r.name, r.organization_id as "organizationId", o.name as "organizationName", c.name as "companyName",
          r.used_bytes as "usedBytes", r.immutable_days as "immutableDays", r.retention_years as "retentionPolicy"
        from m365_repositories r join m365_organizations o on o.provider_id = r.provider_id and o.id = r.organization_id ${companyOf('o')}
        where ${organizationsWithin(scope, companyId)} order by r.retention_years nulls last, r.used_bytes desc nulls last, lower(r.name), r.id`,
  );
  return [...Map.groupBy(found, ({ retentionPolicy }) => retentionPolicy)].map(([retentionPolicy, group]) => {
    const repositories = group.map(({ retentionPolicy: _, ...repository }) => repository);
    return { retentionPolicy, usedBytes: sumOf(repositories), repositories };
  });
}

function sumOf(repositories: readonly Pick<RepositoryRow, 'usedBytes'>[]): number | null {
  const known = repositories.flatMap(({ usedBytes }) => usedBytes ?? []);
  return known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0);
}
