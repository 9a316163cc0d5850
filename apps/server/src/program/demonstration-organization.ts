import { resolve } from 'node:path';
import type { NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { TenantAccess } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { addCompany } from '../companies/company-changes.ts';
import { type Pool, row, transaction } from '../foundation/database.ts';
import { Scope } from '../foundation/scope.ts';
import { newId, type SecretBox } from '../foundation/secrets.ts';
import { insert } from '../foundation/table-writes.ts';
import { insertJob } from '../microsoft365/jobs/jobs.ts';
import { storeApplications } from '../microsoft365/organizations/applications.ts';
import { prepareRepository } from '../microsoft365/repositories/create-repository.ts';
import { insertRepository } from '../microsoft365/repositories/repositories.ts';
import { makeSession } from '../microsoft365/sessions/sessions.ts';
import { m365Organizations } from '../microsoft365/tables.ts';

const ORGANIZATION_ID = '5a4d0b0c-0000-8000-8000-000000000365';
const COMPANY = { name: 'Contoso', email: 'it@contoso.example', phone: '+1 555 0136' };
/** Everybody can read it: it protects invented mail of the sandbox alone. */
const PASSWORD = 'a password of the demonstration';

const JOB: Omit<NewJob, 'repositoryId'> = {
  name: 'Contoso nightly',
  description: 'All of Contoso, every night.',
  backupType: 'EntireOrganization',
  selected: [],
  excluded: [],
  withChats: false,
  proxyPoolId: null,
  isEnabled: true,
  schedule: {
    type: 'Daily',
    dailyType: 'Everyday',
    time: '22:00',
    dayOfMonth: 1,
    everyMinutes: 60,
    afterJobId: null,
    timeZone: 'UTC',
    retries: 3,
    retryMinutes: 10,
    window: null,
  },
};

export interface DemonstrationParts {
  database: Pool;
  secrets: SecretBox;
  dataDir: string;
  now: Date;
}

/**
 * Connects a tenant of the sandbox to the demonstration's provider, with a repository in the data folder and a job whose first run begins at once. The
 * sandbox makes its tenants again at each start: the application is stored again, everything else stays as it is.
 */
export async function ensureDemonstrationOrganization(
  parts: DemonstrationParts,
  providerId: number,
  tenant: TenantAccess,
): Promise<void> {
  const key = { providerId, id: ORGANIZATION_ID };
  if (!(await isConnected(parts.database, key.id))) await connectTenant(parts, key, tenant);
  await transaction(parts.database, (connection) =>
    storeApplications(connection, parts.secrets, key, applicationsOf(tenant), parts.now),
  );
}

async function isConnected(database: Pool, id: string): Promise<boolean> {
  return (await row(database, sql`select from m365_organizations o where o.id = ${id}`)) !== null;
}

async function connectTenant(
  { database, secrets, dataDir, now }: DemonstrationParts,
  organization: { providerId: number; id: string },
  { tenantId, domain }: TenantAccess,
): Promise<void> {
  const { providerId } = organization;
  const given = {
    name: 'Contoso backups',
    place: { kind: 'folder', path: resolve(dataDir, 'demonstration-backups') },
    password: PASSWORD,
    passwordDescription: 'Of the demonstration',
    retentionYears: 1,
    immutableDays: 0,
  } as const;
  const repository = await prepareRepository({ database, secrets }, organization, given, AbortSignal.timeout(60_000));
  await transaction(database, async (connection) => {
    const { _id: companyId } = await addCompany(connection, new Scope(providerId, null), COMPANY);
    await insert(connection, m365Organizations, {
      ...organization,
      companyId,
      engine: 'built-in',
      name: 'Contoso',
      officeName: domain,
      tenantId,
      region: 'Worldwide',
      authType: 'modernLegacy',
      services: ['exchange', 'sharepoint', 'teams'],
      createdAt: now,
    });
    await insertRepository(connection, repository, now);
    const job = { providerId, id: newId() };
    await insertJob(connection, job, organization.id, { ...JOB, repositoryId: repository.id }, now);
    await makeSession(connection, job, now);
  });
}

/** One that reads, and one that may write. */
function applicationsOf({ application }: TenantAccess) {
  const { clientId, clientSecret } = application;
  const common = { certificateThumbprint: null, certificateExpiresAt: null, proof: { secret: clientSecret } };
  return [
    { ...common, applicationId: clientId, purpose: 'backup' as const, name: 'Keepwatch Backup' },
    { ...common, applicationId: clientId, purpose: 'restore' as const, name: 'Keepwatch Restore' },
  ];
}
