import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { day, id, wholeNumber } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { licensedUser, licenseRange } from './licensing.ts';
import { RETENTION_YEARS } from './repositories.ts';

/** The dashboard of the Microsoft 365 application: six figures, each of all organizations within reach or of one company. */

const access = 'o365.dashboard' as const;
const ofCompany = { companyId: z.optional(id) };
const inRange = z.strictObject({ ...licenseRange, ...ofCompany });

const runsOfDay = z.object({ day, success: z.int(), warning: z.int(), failed: z.int(), running: z.int() });
export type RunsOfDay = z.infer<typeof runsOfDay>;

export const backupStatus = entity(
  'Microsoft365BackupStatus',
  z.object({
    /** Jobs by their last run; those that are disabled are counted there, too. */
    jobs: z.object({
      total: z.int(),
      success: z.int(),
      warning: z.int(),
      failed: z.int(),
      running: z.int(),
      neverRun: z.int(),
      disabled: z.int(),
    }),
    /** Runs by the day on which they began; every day of the range is there. */
    days: z.array(runsOfDay),
  }),
);
export type BackupStatus = z.infer<typeof backupStatus>;

export const readBackupStatus = declareCall({
  method: 'GET',
  path: '/o365/dashboard/backup-status',
  access,
  query: inRange,
  ...itemOf(backupStatus),
  failure: 'The status of the backups could not be read. Try again later.',
  summary: 'Jobs by the result of their last run, and runs by day.',
});

export const userFigures = entity(
  'Microsoft365UserFigures',
  z.object({
    licensed: z.int(),
    /** Of these: of whom each part is backed up. */
    mailbox: z.int(),
    archive: z.int(),
    drive: z.int(),
    chats: z.int(),
    /** Of these: not backed up for seven days. */
    stale: z.int(),
    organizations: z.int(),
  }),
);
export type UserFigures = z.infer<typeof userFigures>;

export const readUserFigures = declareCall({
  method: 'GET',
  path: '/o365/dashboard/users',
  access,
  query: z.strictObject(ofCompany),
  ...itemOf(userFigures),
  failure: 'The figures of the users could not be read. Try again later.',
  summary: 'Users who are licensed today, by what of them is backed up.',
});

const licenseDay = z.object({ day, licensed: z.int(), added: z.int(), released: z.int() });
export type LicenseDay = z.infer<typeof licenseDay>;

export const readLicenseActivity = declareCall({
  method: 'GET',
  path: '/o365/dashboard/license-activity',
  access,
  query: inRange,
  ...itemOf(z.array(licenseDay)),
  failure: 'The licences could not be read. Try again later.',
  summary: 'Licensed users day by day, with those whose licence began or ended.',
});

export const licenseUse = entity(
  'Microsoft365LicenseUse',
  z.object({
    licensedUsers: z.int(),
    newUsers: z.int(),
    releasedUsers: z.int(),
    /** Those with the most licensed users first. */
    organizations: z.array(
      z.object({
        id,
        name: z.string(),
        companyName: z.string(),
        licensedUsers: z.int(),
        newUsers: z.int(),
        releasedUsers: z.int(),
      }),
    ),
    /** Of all organizations within reach, those without licensed users too. */
    organizationCount: z.int(),
  }),
);
export type LicenseUse = z.infer<typeof licenseUse>;

const limit = z._default(wholeNumber(1, 50), 5);

export const readLicenses = declareCall({
  method: 'GET',
  path: '/o365/dashboard/licenses',
  access,
  query: z.strictObject({ ...licenseRange, ...ofCompany, limit }),
  ...itemOf(licenseUse),
  failure: 'The licences could not be read. Try again later.',
  summary: 'Licences that are used, and the organizations that use the most.',
});

export const readHighestStorageUsers = declareCall({
  method: 'GET',
  path: '/o365/dashboard/highest-storage-users',
  access,
  query: z.strictObject({ ...ofCompany, limit }),
  ...itemOf(z.array(licensedUser)),
  failure: 'The users could not be read. Try again later.',
  summary: 'The licensed users of whom the most is stored.',
});

export const retentionGroup = entity(
  'Microsoft365RetentionGroup',
  z.object({
    /** Years; `null`: for ever. */
    retentionPolicy: z.nullable(z.literal(RETENTION_YEARS)),
    /** `null` while none of them has been measured. */
    usedBytes: z.nullable(z.int()),
    repositories: z.array(
      z.object({
        id,
        name: z.string(),
        organizationId: id,
        organizationName: z.string(),
        companyName: z.string(),
        usedBytes: z.nullable(z.int()),
        immutableDays: z.int(),
      }),
    ),
  }),
);
export type RetentionGroup = z.infer<typeof retentionGroup>;

export const readRetention = declareCall({
  method: 'GET',
  path: '/o365/dashboard/retention',
  access,
  query: z.strictObject(ofCompany),
  ...itemOf(z.array(retentionGroup)),
  failure: 'The repositories could not be read. Try again later.',
  summary: 'Repositories by how long they keep what is no longer current, the shortest first.',
});
