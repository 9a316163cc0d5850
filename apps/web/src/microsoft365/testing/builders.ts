import type { JobSession, Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { LicensedUser } from '@keepwatch/contract/microsoft365/licensing';
import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { buildId } from '../../testing/builders.ts';

/** An organization of company 1, connected with an application of its own. */
export function buildOrganization(number: number, fields: Partial<OrganizationDetail> = {}): OrganizationDetail {
  const id = buildId(number);
  const settings = {
    officeOrganizationName: 'contoso.onmicrosoft.com',
    account: null,
    applicationId: '6f2d7f4e-0001-4000-8000-000000000001',
    applicationCertificateThumbprint: 'A1B2C3',
    certificateExpiresAt: '2027-01-01T00:00:00.000Z',
    sharePointSaveAllWebParts: false,
  };
  return {
    id,
    _id: id,
    name: `Organization ${number}`,
    officeName: 'contoso.onmicrosoft.com',
    companyId: buildId(1),
    companyName: 'Company 1',
    engine: 'built-in',
    type: 'Office365',
    region: 'Worldwide',
    authType: 'modern',
    isExchangeOnline: true,
    isSharePointOnline: true,
    isTeamsOnline: true,
    isTeamsChatsOnline: false,
    jobCount: 0,
    isBackedup: false,
    firstBackuptime: null,
    lastBackuptime: null,
    certificateDaysLeft: 292,
    canRestore: true,
    lastProof: null,
    exchangeOnlineSettings: settings,
    sharePointOnlineSettings: settings,
    applications: [
      {
        applicationId: settings.applicationId,
        name: 'KEEPWATCH-Company 1',
        purpose: 'backup',
        certificateThumbprint: 'A1B2C3',
        certificateExpiresAt: settings.certificateExpiresAt,
      },
    ],
    ...fields,
  };
}

export function buildRepository(number: number, fields: Partial<Microsoft365Repository> = {}): Microsoft365Repository {
  return {
    id: buildId(number),
    name: `Repository ${number}`,
    organizationId: buildId(10),
    organizationName: 'Organization 10',
    companyId: buildId(1),
    engine: 'built-in',
    kind: 'folder',
    path: `/backups/${number}`,
    passwordDescription: 'vault, entry 12',
    needsPassword: false,
    retentionPolicy: 5,
    immutableDays: 0,
    jobCount: 0,
    usedBytes: 5 * 1_024 ** 3,
    freeBytes: 90 * 1_024 ** 3,
    capacityBytes: 100 * 1_024 ** 3,
    measuredAt: '2026-03-15T11:00:00.000Z',
    growthBytesPerDay: 1_024 ** 3,
    fullAt: '2026-06-13T11:00:00.000Z',
    nextVerify: '2026-03-22T05:00:00.000Z',
    nextPrune: '2026-03-21T05:00:00.000Z',
    ...fields,
  };
}

export function buildSession(number: number, fields: Partial<JobSession> = {}): JobSession {
  return {
    id: buildId(number),
    jobId: buildId(30),
    creationTime: '2026-03-15T02:00:00.000Z',
    endTime: '2026-03-15T02:30:00.000Z',
    status: 'Success',
    isStopped: false,
    details: null,
    progress: 100,
    statistics: {
      processedObjects: 40,
      objectsTotal: 40,
      itemsRead: 1_200,
      itemsLost: 0,
      itemsSkipped: 0,
      itemsRemoved: 3,
      transferredDataBytes: 1_024 ** 3,
      storedBytes: 700 * 1_024 ** 2,
      processingRateBytesPS: null,
    },
    expectedEndTime: null,
    proxyName: 'worker-1',
    ...fields,
  };
}

export function buildJob(number: number, fields: Partial<Microsoft365Job> = {}): Microsoft365Job {
  const id = buildId(number);
  return {
    id,
    _id: id,
    name: `Job ${number}`,
    description: '',
    organizationId: buildId(10),
    organizationName: 'Organization 10',
    companyId: buildId(1),
    companyName: 'Company 1',
    engine: 'built-in',
    backupType: 'EntireOrganization',
    repositoryId: buildId(20),
    repositoryName: 'Repository 20',
    proxyId: null,
    isEnabled: true,
    isTeamsChatsEnabled: false,
    selectedCount: 0,
    excludedCount: 0,
    schedulePolicy: {
      runAuto: true,
      type: 'Daily',
      dailyType: 'Everyday',
      dailyTime: '22:00',
      dayOfMonth: 1,
      periodicallyEvery: 60,
      afterJobId: null,
      timeZone: 'UTC',
      runNow: false,
      retryEnabled: true,
      retryNumber: 3,
      retryWaitInterval: 10,
      backupWindowEnabled: false,
      backupWindow: null,
    },
    nextRun: '2026-03-15T22:00:00.000Z',
    lastSession: null,
    restorePoints: 0,
    version: 1,
    lastProof: null,
    ...fields,
  };
}

export function buildLicensedUser(number: number, fields: Partial<LicensedUser> = {}): LicensedUser {
  return {
    _id: buildId(number),
    serviceProvider: { id: 1 },
    objectId: `user-${number}`,
    name: `User ${number}`,
    address: `user${number}@contoso.example`,
    organizationId: buildId(10),
    organizationName: 'Organization 10',
    companyId: buildId(1),
    companyName: 'Company 1',
    licensedFrom: '2026-01-02',
    lastBackupOn: '2026-03-14',
    licensedUntil: '2026-04-13',
    mailboxBytes: 3 * 1_024 ** 3,
    archiveBytes: null,
    driveBytes: 1_024 ** 3,
    chatsBytes: null,
    bytes: 4 * 1_024 ** 3,
    ...fields,
  };
}
