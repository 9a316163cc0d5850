import * as z from 'zod/mini';
import { declareCall, file } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { day, flag, id, instantInQuery, oneOrMore, sortBy, text } from '../wire/fields.ts';
import { listOf } from '../wire/replies.ts';

/** Who is licensed: each person of whom something was backed up within the last 31 days. */

/** A licence is used from the first backup of a user until so many days from the last one, that day included. */
export const LICENSE_DAYS = 31;

/** Of users who are licensed but were not backed up for so many days, something may have gone wrong. */
export const STALE_DAYS = 7;

/** What of a user is backed up. */
export const USER_PARTS = ['mailbox', 'archive', 'drive', 'chats'] as const;
export type UserPart = (typeof USER_PARTS)[number];

/** What became of a user's licence within the days that are asked for. */
export const LICENSE_CHANGES = ['new', 'released'] as const;
export type LicenseChange = (typeof LICENSE_CHANGES)[number];

/** Days in UTC; without them the last 31, today included. Days to come are not counted. */
export const licenseRange = { from: z.optional(instantInQuery), to: z.optional(instantInQuery) };

const serviceProvider = z.object({ id: z.int() });

const counts = {
  /** Users who were licensed on any of the days. */
  licensedUsers: z.int(),
  /** Of these: whose licence began, and whose ended, on one of them. */
  newUsers: z.int(),
  releasedUsers: z.int(),
  /** Of what is stored of these users now. */
  bytes: z.int(),
};

export const licensedOrganization = entity(
  'LicensedOrganization',
  z.object({
    _id: id,
    serviceProvider,
    organizationName: z.string(),
    companyId: id,
    companyName: z.string(),
    ...counts,
  }),
);
export type LicensedOrganization = z.infer<typeof licensedOrganization>;

const organizationSorts = [
  'organizationName',
  'companyName',
  'licensedUsers',
  'newUsers',
  'releasedUsers',
  'bytes',
] as const;
const organizationFilter = {
  ...licenseRange,
  companyId: z.optional(id),
  search: z.optional(text(200)),
};

export const listLicensing = declareCall({
  method: 'GET',
  path: '/o365/licensing',
  access: 'o365.licensing',
  ...listOf(licensedOrganization, {
    sorts: organizationSorts,
    query: organizationFilter,
    also: { total: z.object(counts) },
  }),
  failure: 'The licences could not be read. Try again later.',
  summary: 'Licensed users of each organization in a range of days.',
});

export const exportLicensing = declareCall({
  method: 'GET',
  path: '/o365/licensing/export',
  access: 'o365.licensing',
  audit: 'm365-licensing.export',
  query: z.strictObject({ ...organizationFilter, sort: sortBy(organizationSorts) }),
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The same as CSV, streamed; file Licensing-{timestamp}.csv.',
});

export const licensedUser = entity(
  'LicensedUser',
  z.object({
    _id: id,
    serviceProvider,
    /** The id of the user at Microsoft. */
    objectId: z.string(),
    name: z.string(),
    address: z.nullable(z.string()),
    organizationId: id,
    organizationName: z.string(),
    companyId: id,
    companyName: z.string(),
    /** Of the licence: its first day, the day of the last backup, and its last day unless another backup follows. */
    licensedFrom: day,
    lastBackupOn: day,
    licensedUntil: day,
    /** `null`: not backed up. */
    mailboxBytes: z.nullable(z.int()),
    archiveBytes: z.nullable(z.int()),
    driveBytes: z.nullable(z.int()),
    chatsBytes: z.nullable(z.int()),
    bytes: z.int(),
  }),
);
export type LicensedUser = z.infer<typeof licensedUser>;

const userSorts = ['name', 'organizationName', 'companyName', 'licensedFrom', 'lastBackupOn', 'bytes'] as const;
const userFilter = {
  ...licenseRange,
  companyId: z.optional(id),
  organizationId: z.optional(id),
  ids: z.optional(oneOrMore(id)),
  /** In the name or the address. */
  search: z.optional(text(200)),
  /** Any of these is backed up. */
  parts: z.optional(oneOrMore(z.enum(USER_PARTS))),
  change: z.optional(z.enum(LICENSE_CHANGES)),
  /** Not backed up in the last seven days of the range, although licensed. */
  stale: z.optional(flag),
};

export const listLicensedUsers = declareCall({
  method: 'GET',
  path: '/o365/consumption',
  access: 'o365.consumption',
  ...listOf(licensedUser, { sorts: userSorts, query: userFilter }),
  failure: 'The licensed users could not be read. Try again later.',
  summary: 'Users who were licensed on any day of a range, with what is stored of them.',
});

export const exportLicensedUsers = declareCall({
  method: 'GET',
  path: '/o365/consumption/export',
  access: 'o365.license-consumption-export',
  audit: 'm365-licensed-user.export',
  query: z.strictObject({ ...userFilter, sort: sortBy(userSorts) }),
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The same as CSV, streamed; file LicensedUsers-{timestamp}.csv.',
});
