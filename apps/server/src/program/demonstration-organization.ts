import { join } from 'node:path';
import type { NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { TenantAccess } from '@keepwatch/sandbox/microsoft365/server';
import { addCompany } from '../companies/company-changes.ts';
import { findUserByName } from '../directory/users.ts';
import { type Pool, transaction } from '../foundation/database.ts';
import { Scope } from '../foundation/scope.ts';
import { newId, type SecretBox } from '../foundation/secrets.ts';
import { insertJob } from '../microsoft365/jobs/jobs.ts';
import { storeApplications } from '../microsoft365/organizations/applications.ts';
import { findOrganization } from '../microsoft365/organizations/organizations.ts';
import { insertOrganization, isStored } from '../microsoft365/organizations/store-organization.ts';
import { makeRepository } from '../microsoft365/repositories/create-repository.ts';
import { insertRepository } from '../microsoft365/repositories/repositories.ts';
import { secretsOf, storedPlaceOf } from '../microsoft365/repositories/repository-place.ts';
import { sealRepositorySecrets } from '../microsoft365/repositories/repository-secrets.ts';
import { insertRole } from '../restore/roles/roles.ts';
import { RESTORE_OPERATOR } from './demonstration.ts';

export const ORGANIZATION_ID = '5a4d0b0c-0000-8000-8000-000000000365';
const COMPANY = { name: 'Contoso', email: 'it@contoso.example', phone: '+1 555 0136' };
/** All users can read it: it protects invented mail of the sandbox alone. */
const PASSWORD = 'a password of the demonstration';

const SERVICES = ['exchange', 'sharepoint', 'teams', 'teamsChats'] as const;

const JOB: Omit<NewJob, 'repositoryId'> = {
  name: 'Contoso nightly',
  description: 'All of Contoso, every night.',
  backupType: 'EntireOrganization',
  selected: [],
  excluded: [],
  withChats: true,
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
  /** When the organization was connected, in the demonstration's history. */
  morning: Date;
}

/**
 * Connects a tenant of the sandbox to the demonstration's provider, with a repository in the data folder and a job that runs every night. The
 * sandbox makes its tenants again at each start: the application is stored again, everything else stays as it is.
 */
export async function ensureDemonstrationOrganization(
  parts: DemonstrationParts,
  providerId: number,
  tenant: TenantAccess,
): Promise<void> {
  const key = { providerId, id: ORGANIZATION_ID };
  if (!(await isStored(parts.database, key))) await connectTenant(parts, key, tenant);
  await transaction(parts.database, (connection) =>
    storeApplications(connection, parts.secrets, key, applicationsOf(tenant), parts.now),
  );
  await ensureRestoreRole(parts, key, tenant);
}

const ROLE = {
  name: 'Contoso service desk',
  description: 'Restores for some people of Contoso; shows nothing of others.',
  roleType: 'SpecificObjects' as const,
};
/** Whose mailboxes, archives and OneDrives the role shows. */
const PEOPLE_OF_ROLE = 3;

/** A role of the account that restores for others, so that it finds something. */
async function ensureRestoreRole(
  { database, now }: DemonstrationParts,
  { providerId, id: organizationId }: { providerId: number; id: string },
  { tenant }: TenantAccess,
): Promise<void> {
  const operator = await findUserByName(database, providerId, RESTORE_OPERATOR);
  const organization = await findOrganization(database, new Scope(providerId, null), organizationId);
  if (operator === null || organization === null) return;
  const people = tenant.directory.users.filter(({ mailbox }) => mailbox?.purpose === 'user').slice(0, PEOPLE_OF_ROLE);
  const selected = people.map(({ id, displayName: name }) => ({ type: 'User' as const, id, name }));
  const key = { providerId, id: newId(), companyId: organization.companyId, organizationId };
  // One of this name is there already: it stays as it is.
  await insertRole(database, key, { ...ROLE, operatorIds: [operator.id], selected, excluded: [] }, now);
}

async function connectTenant(
  { database, secrets, dataDir, now, morning }: DemonstrationParts,
  organization: { providerId: number; id: string },
  { tenantId, domain }: TenantAccess,
): Promise<void> {
  const { providerId } = organization;
  const place = { kind: 'folder', path: join(dataDir, 'demonstration-backups') } as const;
  const repository = { providerId, id: newId() };
  const given = {
    name: 'Contoso backups',
    place,
    password: PASSWORD,
    passwordDescription: 'Of the demonstration',
    retentionYears: 1,
    immutableDays: 0,
  } as const;
  const engineId = await makeRepository(given, { allowPrivateAddresses: false }, AbortSignal.timeout(60_000));
  await transaction(database, async (connection) => {
    const { _id: companyId } = await addCompany(connection, new Scope(providerId, null), COMPANY);
    const connected = {
      ...organization,
      companyId,
      name: 'Contoso',
      officeName: domain,
      tenantId,
      region: 'Worldwide' as const,
      authType: 'modernLegacy' as const,
      services: [...SERVICES],
    };
    await insertOrganization(connection, connected, morning);
    const sealed = sealRepositorySecrets(secrets, repository, secretsOf(place, PASSWORD));
    const stored = {
      ...repository,
      ...given,
      organizationId: organization.id,
      engineId,
      place: storedPlaceOf(place),
      secrets: sealed,
    };
    await insertRepository(connection, stored, now);
    const job = { providerId, id: newId() };
    await insertJob(connection, job, organization.id, { ...JOB, repositoryId: repository.id }, now);
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
