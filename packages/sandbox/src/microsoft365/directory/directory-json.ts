import type { Tenant } from '../tenant.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Group } from './group.ts';
import { products } from './products.ts';
import type { User } from './user.ts';

/** What leaves of a user or a group when nothing is selected. */
export const userDefaults = [
  'id',
  'businessPhones',
  'displayName',
  'givenName',
  'jobTitle',
  'mail',
  'mobilePhone',
  'officeLocation',
  'preferredLanguage',
  'surname',
  'userPrincipalName',
];

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export function userJson(user: User): JsonObject {
  const licences = products.filter(({ skuId }) => user.skuIds.includes(skuId));
  return {
    id: user.id,
    businessPhones: [],
    displayName: user.displayName,
    givenName: user.givenName,
    jobTitle: user.jobTitle,
    mail: user.mail,
    mobilePhone: null,
    officeLocation: user.officeLocation,
    preferredLanguage: user.preferredLanguage,
    surname: user.surname,
    userPrincipalName: user.userPrincipalName,
    accountEnabled: user.accountEnabled,
    userType: user.userType,
    usageLocation: user.usageLocation,
    department: user.department,
    mailNickname: user.userPrincipalName.split('@', 1)[0],
    proxyAddresses: user.mail ? [`SMTP:${user.mail}`] : [],
    createdDateTime: instant(user.createdMs),
    deletedDateTime: user.deletedMs === null ? null : instant(user.deletedMs),
    onPremisesSyncEnabled: null,
    assignedLicenses: licences.map(({ skuId }) => ({ skuId, disabledPlans: [] })),
    assignedPlans: licences.flatMap(({ servicePlans }) =>
      servicePlans.map(({ servicePlanId, service }) => ({
        servicePlanId,
        service,
        capabilityStatus: 'Enabled',
        assignedDateTime: instant(user.createdMs),
      })),
    ),
  };
}

export function groupJson(group: Group): JsonObject {
  const isUnified = group.kind === 'microsoft365';
  return {
    id: group.id,
    deletedDateTime: group.deletedMs === null ? null : instant(group.deletedMs),
    createdDateTime: instant(group.createdMs),
    description: group.description,
    displayName: group.displayName,
    groupTypes: isUnified ? ['Unified'] : [],
    mail: group.mail,
    mailEnabled: group.mail !== null,
    mailNickname: group.mailNickname,
    proxyAddresses: group.mail ? [`SMTP:${group.mail}`] : [],
    renewedDateTime: instant(group.createdMs),
    resourceBehaviorOptions: [],
    resourceProvisioningOptions: group.hasTeam ? ['Team'] : [],
    securityEnabled: group.kind === 'security' || group.kind === 'mail-security',
    visibility: group.visibility,
    onPremisesSyncEnabled: null,
  };
}

/** A user or group as a member, with its type. */
export function memberJson({ directory }: Tenant, id: string): JsonObject[] {
  const user = directory.findUser(id);
  if (user) return [{ '@odata.type': '#microsoft.graph.user', ...userJson(user) }];
  const group = directory.findGroup(id);
  return group ? [{ '@odata.type': '#microsoft.graph.group', ...groupJson(group) }] : [];
}

export function organizationJson(tenant: Tenant): JsonObject {
  return {
    id: tenant.id,
    deletedDateTime: null,
    displayName: tenant.displayName,
    countryLetterCode: 'DE',
    country: null,
    city: 'Bremen',
    createdDateTime: instant(tenant.madeMs - 2000 * 86_400_000),
    preferredLanguage: 'en',
    tenantType: 'AAD',
    onPremisesSyncEnabled: null,
    businessPhones: [],
    technicalNotificationMails: [`admin@${tenant.domain}`],
    assignedPlans: [],
    provisionedPlans: [],
    verifiedDomains: [
      {
        capabilities: 'Email, OfficeCommunicationsOnline',
        isDefault: true,
        isInitial: true,
        name: tenant.domain,
        type: 'Managed',
      },
    ],
  };
}

export function domainJson(tenant: Tenant): JsonObject {
  return {
    id: tenant.domain,
    authenticationType: 'Managed',
    availabilityStatus: null,
    isAdminManaged: true,
    isDefault: true,
    isInitial: true,
    isRoot: true,
    isVerified: true,
    supportedServices: ['Email', 'OfficeCommunicationsOnline'],
    passwordValidityPeriodInDays: 2_147_483_647,
    passwordNotificationWindowInDays: 14,
  };
}

export function skusJson(tenant: Tenant): JsonObject[] {
  const { users } = tenant.directory;
  return products.map((product) => {
    const consumedUnits = users.filter(({ skuIds }) => skuIds.includes(product.skuId)).length;
    return {
      id: `${tenant.id}_${product.skuId}`,
      accountId: tenant.id,
      accountName: tenant.displayName,
      appliesTo: 'User',
      capabilityStatus: 'Enabled',
      consumedUnits,
      prepaidUnits: { enabled: consumedUnits + 5, suspended: 0, warning: 0, lockedOut: 0 },
      skuId: product.skuId,
      skuPartNumber: product.skuPartNumber,
      servicePlans: planJson(product.skuId),
      subscriptionIds: [],
    };
  });
}

export function licenceDetailsJson(user: User): JsonObject[] {
  return products
    .filter(({ skuId }) => user.skuIds.includes(skuId))
    .map(({ skuId, skuPartNumber }) => ({
      id: `${user.id}_${skuId}`,
      skuId,
      skuPartNumber,
      servicePlans: planJson(skuId),
    }));
}

function planJson(skuId: string): JsonObject[] {
  const plans = products.find((product) => product.skuId === skuId)?.servicePlans ?? [];
  return plans.map(({ servicePlanId, servicePlanName }) => ({
    servicePlanId,
    servicePlanName,
    appliesTo: 'User',
    provisioningStatus: 'Success',
  }));
}
