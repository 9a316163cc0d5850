import type { JobSchedule } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { RunningTenant } from '@keepwatch/sandbox/microsoft365/server';
import { createUser } from '@keepwatch/server/directory/users';
import { execute, type Pool } from '@keepwatch/server/foundation/database';
import { hashOfPassword, newId, type SecretBox } from '@keepwatch/server/foundation/secrets';
import { openSession } from '@keepwatch/server/identity/sessions';
import { insertJob } from '@keepwatch/server/microsoft365/jobs/jobs';
import { storeApplications } from '@keepwatch/server/microsoft365/organizations/applications';
import { insertOrganization } from '@keepwatch/server/microsoft365/organizations/store-organization';
import { insertRepository } from '@keepwatch/server/microsoft365/repositories/repositories';
import { storedPlaceOf } from '@keepwatch/server/microsoft365/repositories/repository-place';
import { sealRepositorySecrets } from '@keepwatch/server/microsoft365/repositories/repository-secrets';
import { sql } from 'drizzle-orm';

const PROVIDER = 1;

export interface BenchOrganization {
  providerId: number;
  id: string;
  companyId: string;
}

/** The provider and the company of whom all organizations are. @returns the company's id */
export async function buildCompany(pool: Pool): Promise<string> {
  const id = newId();
  await execute(
    pool,
    sql`insert into providers (id, name, domain) values (${PROVIDER}, 'Bench', 'localhost') on conflict do nothing`,
  );
  await execute(pool, sql`insert into companies (provider_id, id, name) values (${PROVIDER}, ${id}, 'Bench')`);
  return id;
}

/** A session of a user who may do everything in the Microsoft 365 application. */
export async function openBenchSession(pool: Pool): Promise<string> {
  const passwordHash = await hashOfPassword('of no use');
  const user = { providerId: PROVIDER, username: 'bench', name: 'Bench', email: 'bench@example.test', passwordHash };
  const id = await createUser(pool, { ...user, roles: ['o365_admin'] });
  return openSession(pool, { providerId: PROVIDER, id }, new Date(), '');
}

/** An organization that is connected to a tenant. */
export async function buildOrganization(
  pool: Pool,
  secrets: SecretBox,
  companyId: string,
  { tenantId, application: { clientId, clientSecret: secret } }: Pick<RunningTenant, 'tenantId' | 'application'>,
): Promise<BenchOrganization> {
  const key = { providerId: PROVIDER, id: newId() };
  const names = { name: `Organization ${key.id}`, officeName: `${key.id}.onmicrosoft.com` };
  const kind = {
    region: 'Worldwide',
    authType: 'modernLegacy',
    services: ['exchange', 'sharepoint', 'teams'],
  } as const;
  await insertOrganization(
    pool,
    { ...key, companyId, tenantId, ...names, ...kind, services: [...kind.services] },
    new Date(),
  );
  const shown = { applicationId: clientId, name: 'Bench', certificateThumbprint: null, certificateExpiresAt: null };
  await storeApplications(pool, secrets, key, [{ ...shown, proof: { secret }, purpose: 'backup' }], new Date());
  return { ...key, companyId };
}

/** A repository of an organization, in a folder in which the engine has made one. */
export async function buildRepository(
  pool: Pool,
  secrets: SecretBox,
  { providerId, id: organizationId }: BenchOrganization,
  given: { path: string; password: string; engineId: string },
): Promise<string> {
  const id = newId();
  const key = { providerId, id };
  const sealed = sealRepositorySecrets(secrets, key, { password: given.password });
  const place = storedPlaceOf({ kind: 'folder', path: given.path });
  const repository = { ...key, organizationId, name: 'Bench', engineId: given.engineId, passwordDescription: '' };
  const retention = { immutableDays: 0, retentionYears: null };
  await insertRepository(pool, { ...repository, ...retention, place, secrets: sealed }, new Date());
  return id;
}

/** A job of some users' mailboxes, which no schedule begins. */
export async function buildJob(
  pool: Pool,
  { providerId, id: organizationId }: BenchOrganization,
  repositoryId: string,
  userIds: readonly string[],
): Promise<string> {
  const id = newId();
  const person = { type: 'User' as const, name: '', mailbox: true, archiveMailbox: false, oneDrive: false };
  const rest = { sites: false, personalSite: false, teams: false };
  await insertJob(
    pool,
    { providerId, id },
    organizationId,
    {
      repositoryId,
      name: 'Bench',
      description: '',
      backupType: 'SelectedItems',
      selected: userIds.map((userId) => ({ ...person, ...rest, id: userId })),
      excluded: [],
      withChats: false,
      isEnabled: true,
      proxyPoolId: null,
      schedule: BY_HAND,
    },
    new Date(),
  );
  return id;
}

const BY_HAND: JobSchedule = {
  type: 'Disabled',
  dailyType: 'Everyday',
  time: '22:00',
  dayOfMonth: 1,
  everyMinutes: 60,
  afterJobId: null,
  timeZone: 'UTC',
  retries: 0,
  retryMinutes: 10,
  window: null,
};
