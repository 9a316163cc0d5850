import { sql } from 'drizzle-orm';
import { change } from '../../audit/change.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { invalid, Refusal } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { remove } from '../../foundation/table-writes.ts';
import { m365DeviceCodes, m365Organizations } from '../tables.ts';
import { lockOrganization, requireConnected } from './organizations.ts';

/** Removes an organization whose name was repeated. @throws Refusal 422 for another name, 409 while it has jobs or repositories */
export async function removeOrganization(context: ChangingContext, id: string, name: string): Promise<void> {
  const { scope } = context;
  await change(context, { kind: 'organization', id }, async (connection) => {
    if (!(await lockOrganization(connection, scope, id))) return null;
    const stored = await requireConnected(connection, scope, id);
    if (name.trim() !== stored.name)
      throw invalid(
        [{ path: 'body.name', message: `must be “${stored.name}”, the name of the organization` }],
        'The organization was not removed.',
      );
    await requireUnused(connection, scope.providerId, id);
    await remove(connection, m365DeviceCodes, { providerId: scope.providerId, organizationId: id });
    await remove(connection, m365Organizations, { providerId: scope.providerId, id });
    const { officeName, tenantId, companyId } = stored;
    return { result: null, before: { name: stored.name, officeName, tenantId, companyId } };
  });
}

/** The keys of a repository are with the organization: it would not be readable without them. */
async function requireUnused(connection: Connection, providerId: number, id: string): Promise<void> {
  const found = await row<{ jobs: number; repositories: number }>(
    connection,
    sql`select (select count(*)::int from m365_jobs j where j.provider_id = ${providerId} and j.organization_id = ${id}) as jobs,
      (select count(*)::int from m365_repositories r where r.provider_id = ${providerId} and r.organization_id = ${id}) as repositories`,
  );
  const { jobs = 0, repositories = 0 } = found ?? {};
  if (jobs > 0)
    throw new Refusal(
      409,
      'ORGANIZATION_HAS_JOBS',
      `The organization has ${jobs === 1 ? 'a job' : `${jobs} jobs`}. Remove them first.`,
    );
  if (repositories > 0)
    throw new Refusal(
      409,
      'ORGANIZATION_HAS_REPOSITORIES',
      `The organization has ${repositories === 1 ? 'a repository' : `${repositories} repositories`}, whose keys would be lost with it. Remove them first.`,
    );
}
