import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, instant, nameText, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';
import { ENGINES } from './engines.ts';
import { proofSummary } from './proof-summary.ts';

/** Organizations of Microsoft 365: how they are connected, and what is in them to choose from. */

const access = 'o365.organizations' as const;

/** Clouds of Microsoft, by the names that Veeam's server has for them. */
export const REGIONS = ['Worldwide', 'USGovernment', 'USDefence', 'China'] as const;
export type Region = (typeof REGIONS)[number];
export const AUTH_TYPES = ['basic', 'modern', 'modernLegacy'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];
export const SERVICES = ['exchange', 'sharepoint', 'teams', 'teamsChats'] as const;
export type Service = (typeof SERVICES)[number];

/** The id that Microsoft gives a user, group, team or site; that of a site has commas in it. */
export const objectId = text(400).check(z.minLength(1));

/** What one service is reached with, as it may be shown: secrets never leave the server. */
const connectionSettings = entity(
  'OrganizationConnectionSettings',
  z.object({
    officeOrganizationName: z.string(),
    account: z.nullable(z.string()),
    applicationId: z.nullable(z.string()),
    applicationCertificateThumbprint: z.nullable(z.string()),
    certificateExpiresAt: z.nullable(instant),
    sharePointSaveAllWebParts: z.boolean(),
  }),
);

export const organization = entity(
  'Organization',
  z.object({
    id,
    _id: id,
    name: z.string(),
    officeName: z.string(),
    companyId: id,
    companyName: z.string(),
    engine: z.enum(ENGINES),
    type: z.literal('Office365'),
    region: z.enum(REGIONS),
    authType: z.enum(AUTH_TYPES),
    isExchangeOnline: z.boolean(),
    isSharePointOnline: z.boolean(),
    isTeamsOnline: z.boolean(),
    isTeamsChatsOnline: z.boolean(),
    jobCount: z.int(),
    /** Whether a run has ended with a restore point, when the first did and when the last. */
    isBackedup: z.boolean(),
    firstBackuptime: z.nullable(instant),
    lastBackuptime: z.nullable(instant),
    /** Days until the certificate of its application ends; null where it has none. */
    certificateDaysLeft: z.nullable(z.int()),
    /** Whether an application may write, so that what is lost can be brought back. */
    canRestore: z.boolean(),
    /** The last proofs of its jobs together; Failed where that of one is. */
    lastProof: z.nullable(z.extend(proofSummary, { jobs: z.int() })),
  }),
);
export type Organization = z.infer<typeof organization>;

export const organizationDetail = entity(
  'OrganizationDetail',
  z.extend(organization, {
    exchangeOnlineSettings: connectionSettings,
    sharePointOnlineSettings: connectionSettings,
    applications: z.array(
      z.object({
        applicationId: z.string(),
        name: z.string(),
        purpose: z.enum(['backup', 'restore']),
        certificateThumbprint: z.nullable(z.string()),
        certificateExpiresAt: z.nullable(instant),
      }),
    ),
  }),
);
export type OrganizationDetail = z.infer<typeof organizationDetail>;

/** Credentials as they are entered, of one service; which of them are needed depends on `authType`. */
const enteredSettings = z.strictObject({
  account: z.optional(text(200)),
  password: z.optional(text(1_000)),
  grantAdminAccess: z.optional(z.boolean()),
  applicationId: z.optional(text(100)),
  applicationSecret: z.optional(text(1_000)),
  /** Of an existing application: its certificate and private key, as PEM. */
  applicationCertificate: z.optional(text(20_000)),
  /** The code that was entered at Microsoft, and what is to be made with that sign-in. */
  userCode: z.optional(text(50)),
  newApplicationName: z.optional(text(120)),
  configureApplication: z.optional(z.boolean()),
  officeOrganizationName: z.optional(text(200)),
  sharePointSaveAllWebParts: z.optional(z.boolean()),
});

const enteredOrganization = {
  type: z.literal('Office365'),
  name: z.optional(nameText(200)),
  companyObjId: id,
  isExchangeOnline: z.boolean(),
  isSharePointOnline: z.boolean(),
  isTeamsOnline: z.boolean(),
  isTeamsChatsOnline: z.boolean(),
  region: z.enum(REGIONS),
  authType: z.enum(AUTH_TYPES),
  exchangeOnlineSettings: z.optional(enteredSettings),
  sharePointOnlineSettings: z.optional(enteredSettings),
};

/** What the check of an application found, and where an administrator grants what it lacks. */
export const checked = {
  missing: z.array(
    z.object({
      permission: z.string(),
      use: z.enum(['backup', 'restore']),
      /** What is not backed up or restored without it. */
      without: z.string(),
      /** Without it everything else is backed up and restored all the same. */
      isOptional: z.boolean(),
    }),
  ),
  consentUrl: z.nullable(z.string()),
};

export const createOrganization = declareCall({
  method: 'POST',
  path: '/o365/organizations',
  access,
  audit: 'organization.create',
  body: z.strictObject(enteredOrganization),
  ...itemOf(organizationDetail, checked),
  failure: 'The organization could not be connected. Try again later.',
  summary:
    'Connects an organization. With a device code that was not entered yet it answers 409 `DEVICE_CODE_PENDING`: ask again after the interval.',
});

export const listOrganizations = declareCall({
  method: 'GET',
  path: '/o365/organizations',
  access: ['o365.organizations', 'o365.jobs', 'o365.repositories'],
  ...listOf(organization, {
    sorts: ['name', 'companyName', 'lastBackuptime'],
    query: { companyId: z.optional(id), search: z.optional(text(200)) },
  }),
  failure: 'The organizations could not be read. Try again later.',
  summary: 'Organizations of one or all companies.',
});

export const readOrganization = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}',
  access,
  params: z.strictObject({ organizationId: id }),
  ...itemOf(organizationDetail),
  failure: 'The organization could not be read. Try again later.',
  summary: 'An organization with its connection, without its secrets.',
});

export const editOrganization = declareCall({
  method: 'PUT',
  path: '/o365/organizations/{organizationId}',
  access,
  audit: 'organization.edit',
  params: z.strictObject({ organizationId: id }),
  body: z.strictObject(enteredOrganization),
  ...itemOf(organizationDetail, checked),
  failure: 'The organization could not be changed. Try again later.',
  summary:
    'Changes an organization. Credentials that are left out stay as they are; where `applicationId` is given, its permissions are checked again.',
});

export const deleteOrganization = declareCall({
  method: 'DELETE',
  path: '/o365/organizations/{organizationId}',
  access,
  audit: 'organization.delete',
  params: z.strictObject({ organizationId: id }),
  body: z.strictObject({ name: text(200) }),
  ...done,
  failure: 'The organization could not be removed. Try again later.',
  summary: 'Removes an organization without jobs and repositories; the body repeats its name.',
});

export const deviceCode = entity(
  'DeviceCode',
  z.object({
    userCode: z.string(),
    verificationUrl: z.string(),
    /** Seconds until it ends, and between two questions whether it was entered. */
    expiresIn: z.int(),
    interval: z.int(),
    message: z.string(),
  }),
);

export const requestDeviceCode = declareCall({
  method: 'POST',
  path: '/o365/organizations/device-code',
  access,
  audit: null, // Nothing is changed before the code is used, which has its own entry
  body: z.strictObject({ targetRegion: z.enum(REGIONS), companyObjId: id }),
  ...itemOf(deviceCode),
  failure: 'Error getting the device code. Try again later.',
  summary: 'A code with which an administrator of the tenant signs in at Microsoft.',
});

export const requestApplicationDeviceCode = declareCall({
  method: 'POST',
  path: '/o365/organizations/app-device-code',
  access,
  audit: null, // Nothing is changed before the code is used, which has its own entry
  body: z.strictObject({ organizationId: id }),
  ...itemOf(deviceCode),
  failure: 'Error getting the device code. Try again later.',
  summary: 'The same for an organization that is connected: to change its applications.',
});

export const renewCertificate = declareCall({
  method: 'POST',
  path: '/o365/organizations/renew-certificate',
  access,
  audit: 'organization.renew-certificate',
  body: z.strictObject({ companyId: id, organizationId: id, userCode: text(50) }),
  ...itemOf(organizationDetail),
  failure: 'The certificate could not be renewed. Try again later.',
  summary:
    'Gives the applications of an organization new certificates; the old ones are removed when the new ones work.',
});

const directoryObject = entity(
  'DirectoryObject',
  z.object({
    id: z.string(),
    name: z.string(),
    /** Address of a user or group, URL of a site. */
    address: z.nullable(z.string()),
    isPersonal: z.boolean(),
    hasChildren: z.boolean(),
  }),
);
export type DirectoryObject = z.infer<typeof directoryObject>;

const objects = listOf(directoryObject, {
  query: { search: z.optional(text(200)), includePersonalSites: z.optional(flag) },
  /** `false`: `count` is of what was read so far, and there is more. Microsoft does not count sites. */
  also: { isWhole: z.boolean() },
});

export const listOrganizationUsers = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}/users',
  access: ['o365.organizations', 'o365.jobs'],
  params: z.strictObject({ organizationId: id }),
  ...objects,
  failure: 'The users of the organization could not be read. Try again later.',
  summary: 'Users, to choose from.',
});

export const listOrganizationGroups = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}/groups',
  access: ['o365.organizations', 'o365.jobs'],
  params: z.strictObject({ organizationId: id }),
  ...objects,
  failure: 'The groups of the organization could not be read. Try again later.',
  summary: 'Groups, to choose from.',
});

export const listOrganizationTeams = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}/teams',
  access: ['o365.organizations', 'o365.jobs'],
  params: z.strictObject({ organizationId: id }),
  ...objects,
  failure: 'The teams of the organization could not be read. Try again later.',
  summary: 'Teams, to choose from.',
});

export const listOrganizationSites = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}/sites',
  access: ['o365.organizations', 'o365.jobs'],
  params: z.strictObject({ organizationId: id }),
  ...objects,
  failure: 'Error getting the sites. Try again later.',
  summary: 'Sites at the top, or all that a search finds.',
});

export const listOrganizationSubsites = declareCall({
  method: 'GET',
  path: '/o365/organizations/{organizationId}/sites/{siteId}/children',
  access: ['o365.organizations', 'o365.jobs'],
  params: z.strictObject({ organizationId: id, siteId: objectId }),
  ...objects,
  failure: 'Error getting the sites. Try again later.',
  summary: 'Sites below a site.',
});

export const listOrganizationNames = declareCall({
  method: 'GET',
  path: '/o365/organizations/names',
  access: ['o365.organizations', 'o365.jobs', 'o365.repositories', 'o365.restorePortal', 'o365.dashboard'],
  ...itemOf(
    z.array(z.object({ id, name: z.string(), companyId: id, companyName: z.string(), engine: z.enum(ENGINES) })),
  ),
  failure: 'The organizations could not be read. Try again later.',
  summary: 'Names and ids of all organizations, for pickers; of a restore operator those of the roles.',
});

export const registerServer = declareCall({
  method: 'POST',
  path: '/o365/organizations/from-api',
  access,
  audit: null, // It is refused: nothing is changed
  body: z.strictObject({ apiUrl: text(500), username: text(200), password: text(1_000) }),
  ...done,
  failure: 'The server could not be registered. Try again later.',
  summary: 'Registers a Veeam Backup for Microsoft 365 server. This version refuses it with 409 `NOT_SUPPORTED`.',
});

export const readVersion = declareCall({
  method: 'GET',
  path: '/o365/version',
  access: ['o365.organizations', 'o365.jobs', 'o365.dashboard'],
  query: z.strictObject({ companyObjId: z.optional(id) }),
  ...itemOf(z.object({ version: z.string(), engine: z.enum(ENGINES) })),
  failure: 'The version could not be read. Try again later.',
  summary: 'Which engine backs up, in which version.',
});
