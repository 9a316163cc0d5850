import type { JobSchedule, NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { EngineKind } from '@keepwatch/contract/microsoft365/engines';
import type { AuthType, Service } from '@keepwatch/contract/microsoft365/organizations';
import { type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { insert } from '../foundation/table-writes.ts';
import { type Proof, type Purpose, storeApplications } from '../microsoft365/organizations/applications.ts';
import { storedPlaceOf } from '../microsoft365/repositories/repository-place.ts';
import { sealRepositorySecrets } from '../microsoft365/repositories/repository-secrets.ts';
import {
  m365DirectoryReads,
  m365JobSessions,
  m365Jobs,
  m365LicensePeriods,
  m365ObjectPoints,
  m365Organizations,
  m365ProtectedUsers,
  m365Repositories,
  m365RestorePoints,
  m365UnprotectedPeople,
} from '../microsoft365/tables.ts';
import { insertRole } from '../restore/roles/roles.ts';
import { buildCompany } from './builders.ts';
import { TEST_NOW, TEST_SECRETS } from './test-portal.ts';

/** Rows of the Microsoft 365 application with sensible defaults, one function a table. */

export interface BuiltApplication {
  clientId: string;
  proof: Proof;
  purposes?: readonly Purpose[];
}

/** An organization; with an application it can be connected to. */
export async function buildOrganization(
  connection: Connection,
  given: {
    companyId: string;
    providerId?: number;
    engine?: EngineKind;
    name?: string;
    tenantId?: string;
    officeName?: string;
    authType?: AuthType;
    services?: Service[];
    application?: BuiltApplication;
  },
): Promise<string> {
  const key = { providerId: given.providerId ?? 1, id: newId() };
  await insert(connection, m365Organizations, {
    ...key,
    companyId: given.companyId,
    engine: given.engine ?? 'built-in',
    name: given.name ?? 'Contoso',
    officeName: given.officeName ?? 'contoso.onmicrosoft.com',
    tenantId: given.tenantId ?? newId(),
    region: 'Worldwide',
    authType: given.authType ?? 'modernLegacy',
    services: given.services ?? ['exchange', 'sharepoint', 'teams'],
    createdAt: TEST_NOW,
  });
  if (given.application !== undefined) {
    const { clientId: applicationId, proof, purposes = ['backup', 'restore'] } = given.application;
    const shown = { applicationId, name: 'Keeper', certificateThumbprint: null, certificateExpiresAt: null, proof };
    const applications = purposes.map((purpose) => ({ ...shown, purpose }));
    await storeApplications(connection, TEST_SECRETS, key, applications, TEST_NOW);
  }
  return key.id;
}

/** An organization as rows name it. */
export interface BuiltOrganization {
  providerId: number;
  id: string;
  companyId: string;
}

/** An organization of a company of its own. */
export async function buildOwnOrganization(
  connection: Connection,
  given: Partial<Parameters<typeof buildOrganization>[1]> = {},
): Promise<BuiltOrganization> {
  const { providerId = 1 } = given;
  const companyId = given.companyId ?? (await buildCompany(connection, { providerId }));
  return { providerId, id: await buildOrganization(connection, { ...given, companyId }), companyId };
}

/** A repository in a folder, which nothing has made there. */
export async function buildM365Repository(
  connection: Connection,
  { providerId, id: organizationId }: BuiltOrganization,
  given: { name?: string; path?: string; password?: string; engineId?: string } = {},
): Promise<string> {
  const id = newId();
  const { name = 'Nightly', path = `/tmp/keepwatch-no-repository-${id}`, password = 'a long password' } = given;
  const { kind, place, settings } = storedPlaceOf({ kind: 'folder', path });
  await insert(connection, m365Repositories, {
    providerId,
    id,
    organizationId,
    name,
    placeKind: kind,
    place,
    placeSettings: settings,
    secrets: sealRepositorySecrets(TEST_SECRETS, { providerId, id }, { password }),
    passwordDescription: '',
    engineId: given.engineId ?? id,
    createdAt: TEST_NOW,
  });
  return id;
}

/** Every night at ten, with three more attempts. */
export const NIGHTLY: JobSchedule = {
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
};

/** A job of an organization, of all that it has. */
export async function buildM365Job(
  connection: Connection,
  organization: BuiltOrganization,
  given: Partial<Omit<NewJob, 'schedule'>> & { schedule?: Partial<JobSchedule>; nextRunAt?: Date | null } = {},
): Promise<string> {
  const id = newId();
  const repositoryId = given.repositoryId ?? (await buildM365Repository(connection, organization));
  await insert(connection, m365Jobs, {
    providerId: organization.providerId,
    id,
    organizationId: organization.id,
    name: 'Everything',
    description: '',
    backupType: 'EntireOrganization',
    selected: [],
    excluded: [],
    withChats: false,
    isEnabled: true,
    createdAt: TEST_NOW,
    ...given,
    repositoryId,
    schedule: { ...NIGHTLY, ...given.schedule },
  });
  return id;
}

/** A run that ended with a restore point, unless said otherwise. */
export async function buildSession(
  connection: Connection,
  job: { providerId: number; id: string },
  given: { startedAt?: Date; result?: 'Running' | 'Success' | 'Warning' | 'Failed'; message?: string | null } = {},
): Promise<string> {
  const id = newId();
  const { startedAt = TEST_NOW, result = 'Success', message = null } = given;
  const endedAt = result === 'Running' ? null : new Date(startedAt.getTime() + 60_000);
  const restorePoint = endedAt === null ? null : `run-${id}`;
  const repositoryId = sql`(select j.repository_id from ${m365Jobs} j where j.provider_id = ${job.providerId} and j.id = ${job.id})`;
  const row = { providerId: job.providerId, id, jobId: job.id, repositoryId, startedAt, result, message };
  await insert(connection, m365JobSessions, { ...row, endedAt, restorePoint });
  if (endedAt !== null) await buildPoint(connection, { ...job, repositoryId }, endedAt);
  return id;
}

/** That the repository of a job has one restore point more. */
function buildPoint(
  connection: Connection,
  { providerId, id: job, repositoryId }: { providerId: number; id: string; repositoryId: SQL },
  at: Date,
): Promise<number> {
  return insert(
    connection,
    m365RestorePoints,
    { providerId, repositoryId, job, restorePoints: 1, firstAt: at, lastAt: at },
    sql`on conflict (provider_id, repository_id, job) do update set restore_points = m365_restore_points.restore_points + 1,
          first_at = least(m365_restore_points.first_at, excluded.first_at), last_at = greatest(m365_restore_points.last_at, excluded.last_at)`,
  );
}

/** A restore operator role that shows the whole organization but one person. */
export async function buildRestoreRole(
  connection: Connection,
  { providerId, id: organizationId, companyId }: BuiltOrganization & { companyId: string },
  { name, operatorIds = [] }: { name: string; operatorIds?: readonly string[] },
): Promise<string> {
  const id = newId();
  const excluded = [{ type: 'User' as const, id: 'boss', name: `Boss of ${name}` }];
  const items = { roleType: 'EntireOrganization' as const, selected: [], excluded };
  const content = { name, description: name, operatorIds, ...items };
  await insertRole(connection, { providerId, id, companyId, organizationId }, content, TEST_NOW);
  return id;
}

/** A user of an organization with a mailbox that is backed up, who is licensed since a backup of yesterday unless said otherwise. */
export async function buildLicensedUser(
  connection: Connection,
  { providerId, id: organizationId }: Pick<BuiltOrganization, 'providerId' | 'id'>,
  given: {
    name?: string;
    address?: string;
    mailboxBytes?: number | null;
    driveBytes?: number | null;
    /** First and last day with a backup, of each licence. */
    periods?: readonly (readonly [beganOn: string, lastBackupOn: string])[];
  } = {},
): Promise<string> {
  const id = newId();
  const { name = 'Ada Lovelace', address = 'ada@contoso.example', mailboxBytes = 1_000, driveBytes = null } = given;
  const yesterday = new Date(TEST_NOW.getTime() - 86_400_000).toISOString().slice(0, 10);
  await insert(connection, m365ProtectedUsers, {
    ...{ providerId, id, organizationId, objectId: newId(), name, address, mailboxBytes, driveBytes },
    bytes: (mailboxBytes ?? 0) + (driveBytes ?? 0),
  });
  for (const [beganOn, lastBackupOn] of given.periods ?? [[yesterday, yesterday]])
    await insert(connection, m365LicensePeriods, { providerId, userId: id, beganOn, lastBackupOn });
  return id;
}

/** The directory of an organization as it was read now: people of whom nothing is backed up, beside others. */
export async function buildDirectory(
  connection: Connection,
  { providerId, id: organizationId }: Pick<BuiltOrganization, 'providerId' | 'id'>,
  { people, unprotected }: { people: number; unprotected: readonly string[] },
): Promise<void> {
  const key = { providerId, organizationId };
  await insert(connection, m365DirectoryReads, { ...key, people, readAt: TEST_NOW, nextAt: TEST_NOW });
  for (const name of unprotected)
    await insert(connection, m365UnprotectedPeople, { ...key, objectId: name.toLowerCase(), name, address: null });
}

/** An object of a restore point, and when it was last complete. */
export async function buildObjectPoint(
  connection: Connection,
  { providerId, id: organizationId }: Pick<BuiltOrganization, 'providerId' | 'id'>,
  {
    repositoryId,
    jobId,
    name,
    completeAt,
  }: { repositoryId: string; jobId: string; name: string; completeAt: Date | null },
): Promise<void> {
  const key = { providerId, organizationId, repositoryId, jobId, objectKey: `mailbox/${name}` };
  await insert(connection, m365ObjectPoints, { ...key, kind: 'mailbox', name, seenAt: TEST_NOW, completeAt });
}
