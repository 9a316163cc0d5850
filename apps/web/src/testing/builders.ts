import type { Role } from '@keepwatch/contract/abilities';
import { accentShades } from '@keepwatch/contract/branding/accents';
import type { Branding } from '@keepwatch/contract/branding/branding';
import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import type { User } from '@keepwatch/contract/identity/sessions';
import type { Changes } from '@keepwatch/contract/insights/changes';
import type { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import type { CallReply } from '@keepwatch/contract/wire/call';

/** Small builders: sensible values, of which a test gives only what it is about. */

export function buildUser({ roles = ['operator'], ...fields }: Partial<User> & { roles?: Role[] } = {}): User {
  return {
    id: '0193a000-0000-7000-8000-000000000001',
    username: 'operator',
    email: 'operator@example.test',
    name: 'Olga Perez',
    acl: roles.map((role) => ({ role })),
    serviceProviderId: 1,
    backupClock: { timeZone: 'UTC', beginHour: 0, isChosen: true, recountedFrom: null, unknownTimeZone: null },
    companyIds: null,
    mobilePhone: null,
    officePhone: null,
    landingApp: null,
    passwordReset: false,
    secondFactorNeeded: false,
    sso: { vac: false, vcd: false, zerto: false },
    authType: 'db',
    forceSecurityQuestions: false,
    hasPassword: true,
    theme: { mode: 'light', sidebarMini: false, sidebarColor: 'blue' },
    preferences: {},
    ackO365TermsOfUse: false,
    ...fields,
  };
}

export function buildBranding(fields: Partial<Branding> = {}): Branding {
  const link = { enabled: false };
  return {
    id: 1,
    name: 'Keepwatch',
    domain: 'localhost',
    title: 'Keepwatch',
    layout: 'keepwatch',
    accentShades: [...accentShades({ accent: null, layout: 'keepwatch' })],
    favIconUrl: null,
    sidebarLogoUrl: null,
    sidebarLogoWidth: null,
    sidebarLogoHeight: null,
    sidebarTitle: 'Keepwatch',
    supportEmail: 'support@example.test',
    supportPhone: '+1 555 0100',
    trackingUrl: null,
    authType: 'db',
    identityProviders: [],
    hasPasswords: true,
    isStripeEnabled: false,
    features: {
      rules: true,
      hints: true,
      reporting: { enabled: true, visibleFor: ['all'] },
      supportSection: { enabled: false, links: { request: link, live: link, downloads: link, faq: link } },
      footer: true,
      socialMedia: { enabled: false, settings: { links: [] } },
      invoice_automation: false,
      billing: { ccCollection: false },
    },
    demonstration: null,
    version: '2.2.14',
    ...fields,
  };
}

/** A brand that has every page. */
export function buildFullBranding(): Branding {
  const branding = buildBranding();
  const link = { enabled: true };
  const supportSection = { enabled: true, links: { request: link, live: link, downloads: link, faq: link } };
  return { ...branding, features: { ...branding.features, supportSection } };
}

/** The company of a number: `buildCompany(7)` is `Company 7`, always with the same id. */
export function buildCompany(number: number, fields: Partial<CompanyDetail> = {}): CompanyDetail {
  return {
    _id: buildId(number),
    name: `Company ${number}`,
    email: null,
    phone: null,
    isActive: true,
    isManaged: true,
    serviceProvider: null,
    applications: { vac: { id: null }, vcd: { id: null }, zerto: { id: null } },
    jobs: 0,
    disabledJobs: 0,
    failed: 0,
    warning: 0,
    didntRun: 0,
    doubtful: 0,
    pending: 0,
    lastRunAt: null,
    backupSizeBytes: 0,
    openFaults: { failed: 0, missed: 0, doubtful: 0, warning: 0 },
    longestWithoutFine: null,
    links: [],
    ...fields,
  };
}

/** An id that ends in the number. */
export function buildId(number: number): string {
  return `0193a000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

type OrganizationName = CallReply<typeof listOrganizationNames>['data'][number];

/** An organization of Microsoft 365 as pickers have it. */
export function buildOrganizationName(fields: Partial<OrganizationName> = {}): OrganizationName {
  const company = { companyId: buildId(1), companyName: 'Company 1' };
  return { id: buildId(10), name: 'Contoso', ...company, engine: 'built-in', ...fields };
}

/** Nothing is different from yesterday. */
export function buildChanges(fields: Partial<Changes> = {}): Changes {
  const none = { count: 0, names: [] };
  return {
    since: '2026-03-14T12:00:00.000Z',
    newFaults: none,
    healedFaults: none,
    newJobs: none,
    stoppedSources: [],
    ...fields,
  };
}
