import type { Branding } from '@keepwatch/contract/branding/branding';
import type { listCompanies } from '@keepwatch/contract/companies/companies';
import type { User } from '@keepwatch/contract/identity/sessions';
import type { JOB_STATES, listM365Jobs, SessionResult } from '@keepwatch/contract/microsoft365/jobs';
import type {
  LicenseChange,
  listLicensedUsers,
  listLicensing,
  UserPart,
} from '@keepwatch/contract/microsoft365/licensing';
import type { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import type { listRestoreRoles } from '@keepwatch/contract/restore/roles';
import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import type { OrderOf } from '@keepwatch/contract/wire/sorts';
import { declarePlace, searchOf } from '../kit/place.ts';
import { userAllows } from '../kit/user-allows.ts';
import { admin, monitoring, o365 } from './applications.ts';
import type { CompaniesFilters } from './companies.ts';
import type { DailyChecksFilters } from './daily-checks.ts';
import type { QueueFilters } from './queue.ts';
import { runsInstallation } from './runs-installation.ts';
import type { UserLogsFilters } from './user-logs.ts';
import type { UsersFilters } from './users.ts';

/**
 * Every place of the portal that something links to: where it is, under which conditions it opens, and what a link can say in its
 * address. What opens there is declared in the capability's `routes.ts`.
 */

/** Leads on to the first screen that is open to the user. */
export const start = declarePlace({ path: '/', access: 'everybody' });

export const signIn = declarePlace({ path: '/login', access: 'signed-out', search: searchOf<{ next: string }>() });

/** Where an identity provider sends the browser back. */
export const signInReturn = declarePlace({ path: '/login/identity-provider', access: 'signed-out' });

/** The step of the sign-in that asks for a code from the phone: it begins with the password. */
export const smsVerification = declarePlace({
  path: '/sms-verification',
  access: 'signed-out',
  search: searchOf<{ next: string }>(),
});

/** Where who has to add a second factor gives a phone. */
export const givePhone = declarePlace({ path: '/phone', access: 'signed-out' });

export const setup = declarePlace({ path: '/setup/$token', access: 'signed-out' });

/** Of a console in which the user has an account. */
export const consolePage = declarePlace({ path: '/apps/$provider', access: 'signed-in' });

export const forgotPassword = declarePlace({ path: '/forgot-password-db', access: 'signed-out' });

/** The same for accounts of a directory, by secret questions. */
export const resetByQuestions = declarePlace({ path: '/forgot-password', access: 'signed-out' });

export const unlock = declarePlace({ path: '/unlock', access: 'signed-out' });

/** Of a link that was mailed or handed over. */
export const setPassword = declarePlace({
  path: '/reset-password-db',
  access: 'everybody',
  search: searchOf<{ hash: string }>(),
});

export const forbidden = declarePlace({
  application: monitoring,
  path: '/monitoring/forbidden',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});

export const adminForbidden = declarePlace({
  application: admin,
  path: '/admin/forbidden',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});

export const o365Forbidden = declarePlace({
  application: o365,
  path: '/o365/forbidden',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});

export const dashboard = declarePlace({
  application: monitoring,
  path: '/monitoring/dashboard',
  hasCompanyFilter: true,
  access: 'monitoring.dashboard',
  search: searchOf<{ company: readonly string[] }>(),
});

export const calendar = declarePlace({
  application: monitoring,
  path: '/monitoring/calendar-report',
  hasCompanyFilter: true,
  access: 'monitoring.calendar-report',
  search: searchOf<{ company: readonly string[]; source: readonly DataSourceGroup[] }>(),
});

export const queue = declarePlace({
  application: monitoring,
  path: '/monitoring/queue',
  hasCompanyFilter: true,
  access: 'monitoring.daily-checks',
  search: searchOf<QueueFilters>(),
});

export const dailyChecks = declarePlace({
  application: monitoring,
  path: '/monitoring/daily-checks',
  hasCompanyFilter: true,
  access: 'monitoring.daily-checks',
  search: searchOf<DailyChecksFilters>(),
});

export const hints = declarePlace({
  application: monitoring,
  path: '/monitoring/hints',
  access: 'monitoring.hints',
  // They belong to the whole provider.
  when: ({ features }, { companyIds }) => features.hints && companyIds === null,
});

export const companies = declarePlace({
  application: monitoring,
  path: '/monitoring/companies',
  hasCompanyFilter: true,
  access: 'common.companies',
  search: searchOf<CompaniesFilters & { sort: OrderOf<typeof listCompanies> }>(),
});

/** All that is known of one company. */
export const companyPage = declarePlace({ parent: companies, path: '/monitoring/companies/$id' });

export const sources = declarePlace({
  application: monitoring,
  path: '/monitoring/sources',
  access: 'monitoring.sources',
});

/** What is open above the users: the panel of one, the dialog for a new one. */
interface UsersDialogs {
  open: string;
  add: boolean;
}

export const users = declarePlace({
  application: monitoring,
  path: '/monitoring/users',
  access: 'monitoring.users',
  search: searchOf<UsersFilters & UsersDialogs>(),
});

/** Of a whole provider, as are the screens that it leads to. */
export const adminDashboard = declarePlace({
  application: admin,
  path: '/admin/dashboard',
  access: 'admin.dashboard',
  when: (_, { companyIds }) => companyIds === null,
});

/** Connections belong to the provider as a whole. */
export const connectors = declarePlace({
  application: admin,
  path: '/admin/connectors',
  access: 'admin.connectors',
  when: (_, { companyIds }) => companyIds === null,
  search: searchOf<{
    health: readonly ('failing' | 'works' | 'untested' | 'off')[];
    /** Id of the connection whose panel is open. */
    open: string;
  }>(),
});

/** The rules belong to the provider as a whole. */
export const signInRules = declarePlace({
  application: admin,
  path: '/admin/sign-in',
  access: 'admin.connectors',
  when: (_, { companyIds }) => companyIds === null,
});

/** Days are counted for the provider as a whole. */
export const backupDay = declarePlace({
  application: admin,
  path: '/admin/backup-day',
  access: 'admin.connectors',
  when: (_, { companyIds }) => companyIds === null,
});

/** The brands of the installation, or the one of the provider. */
export const brands = declarePlace({
  application: admin,
  path: '/admin/brands',
  access: 'admin.brands',
  when: (_, { companyIds }) => companyIds === null,
  search: searchOf<{ search: string }>(),
});

export const brand = declarePlace({ parent: brands, path: '/admin/brands/$id' });

/** Mail and SMS belong to the provider as a whole. */
export const systemSettings = declarePlace({
  application: admin,
  path: '/admin/settings',
  access: 'admin.settings',
  when: (_, { companyIds }) => companyIds === null,
});

/** Of the database of the whole installation: for those who run it. */
export const portalBackups = declarePlace({
  application: admin,
  path: '/admin/backups',
  access: 'admin.backups',
  when: (_, user) => runsInstallation(user),
});

/** Whether the brand shows reports to the user (specification "portal", part 6): to one of the user's roles, or to all. */
function seesReports({ features: { reporting } }: Branding, { acl }: User): boolean {
  const roles = ['all', ...acl.map(({ role }) => role)];
  return reporting.enabled && roles.some((role) => reporting.visibleFor.includes(role));
}

export const userLogs = declarePlace({
  application: monitoring,
  path: '/monitoring/users-logs',
  access: 'monitoring.userLogs',
  when: seesReports,
  search: searchOf<
    UserLogsFilters & {
      /** Id of the entry whose panel is open. */
      open: string;
    }
  >(),
});

/** Whether the brand has the group for help, and this page in it (specification "portal", part 2). */
const hasSupport =
  (name: 'request' | 'live' | 'downloads') =>
  ({ features: { supportSection } }: Branding) =>
    supportSection.enabled && supportSection.links[name].enabled;

/** What people ask the support of the brand for. */
export const supportRequest = declarePlace({
  application: monitoring,
  path: '/monitoring/support/request',
  access: 'signed-in',
  when: hasSupport('request'),
});
export const o365SupportRequest = declarePlace({
  application: o365,
  path: '/o365/support/request',
  access: 'signed-in',
  when: hasSupport('request'),
});

export const supportLive = declarePlace({
  application: monitoring,
  path: '/monitoring/support/live',
  access: 'signed-in',
  when: hasSupport('live'),
});
export const o365SupportLive = declarePlace({
  application: o365,
  path: '/o365/support/live',
  access: 'signed-in',
  when: hasSupport('live'),
});

/** Programs and papers that the brand offers. */
export const downloads = declarePlace({
  application: monitoring,
  path: '/monitoring/downloads',
  access: 'signed-in',
  when: hasSupport('downloads'),
});
export const o365SupportDownloads = declarePlace({
  application: o365,
  path: '/o365/support/downloads',
  access: 'signed-in',
  when: hasSupport('downloads'),
});

export const o365Dashboard = declarePlace({
  application: o365,
  path: '/o365/dashboard',
  access: 'o365.dashboard',
});

/** The same screens as in the monitoring. */
export const o365Users = declarePlace({
  application: o365,
  path: '/o365/users',
  access: 'o365.users',
  search: searchOf<UsersFilters & UsersDialogs>(),
});

export const o365UserLogs = declarePlace({
  application: o365,
  path: '/o365/users-logs',
  access: 'o365.userLogs',
  search: searchOf<UserLogsFilters & { open: string }>(),
});

export const o365Licensing = declarePlace({
  application: o365,
  path: '/o365/licensing',
  access: 'o365.licensing',
  search: searchOf<{ date: string; search: string; sort: OrderOf<typeof listLicensing> }>(),
});

export const o365LicensedUsers = declarePlace({
  application: o365,
  path: '/o365/license-consumption',
  access: 'o365.consumption',
  search: searchOf<{
    /** Text that names a range of days. */
    date: string;
    organization: string;
    part: readonly UserPart[];
    change: LicenseChange | '';
    /** Only those who were not backed up for a week. */
    stale: boolean;
    search: string;
    sort: OrderOf<typeof listLicensedUsers>;
    open: string;
  }>(),
});

export const o365Organizations = declarePlace({
  application: o365,
  path: '/o365/organizations',
  access: 'o365.organizations',
  search: searchOf<{ search: string; sort: OrderOf<typeof listOrganizations>; open: string }>(),
});

/** Its steps have addresses of their own: `new/1`, `new/3/modern`, `new/repo`. */
export const organizationWizard = declarePlace({
  parent: o365Organizations,
  path: '/o365/organizations/new/$',
  search: searchOf<{
    /** Id of the organization that is changed, or that a repository is made for. */
    organization: string;
  }>(),
});

export const organizationCertificate = declarePlace({
  parent: o365Organizations,
  path: '/o365/organizations/certificate/$companyId/$organizationId',
});

export const o365Repositories = declarePlace({
  application: o365,
  path: '/o365/repositories',
  access: 'o365.repositories',
  search: searchOf<{ search: string; organization: string; open: string }>(),
});

export const o365Jobs = declarePlace({
  application: o365,
  path: '/o365/jobs',
  access: 'o365.jobs',
  search: searchOf<{
    search: string;
    status: readonly SessionResult[];
    only: (typeof JOB_STATES)[number] | '';
    /** A UTC day: only jobs of which a run began on it. */
    ranOn: string;
    sort: OrderOf<typeof listM365Jobs>;
    open: string;
  }>(),
});

/** Its steps have addresses of their own: `jobs/1` to `jobs/5`. */
export const jobWizard = declarePlace({
  parent: o365Jobs,
  path: '/o365/jobs/$step',
  search: searchOf<{
    /** Id of the job that is changed. */
    job: string;
    /** Of a new one: the organization that it is for. */
    organization: string;
  }>(),
});

export const operatorRoles = declarePlace({
  application: o365,
  path: '/o365/restore-operator-roles',
  access: 'o365.restorePortal',
  // Operators use the restore portal too; their roles name what they must not see.
  when: (_, user) => userAllows(user, 'o365.organizations'),
  search: searchOf<{ search: string; sort: OrderOf<typeof listRestoreRoles>; open: string }>(),
});

/** Its steps have addresses of their own: `restore-operator-roles/1` to `/5`. */
export const operatorRoleWizard = declarePlace({
  parent: operatorRoles,
  path: '/o365/restore-operator-roles/$step',
  search: searchOf<{
    /** Id of the role that is changed. */
    role: string;
    /** Of a new one: the organization that it is for. */
    organization: string;
  }>(),
});

/** What the address of an explorer of the restore portal says. */
interface ExplorerSearch {
  organization: string;
  /** When the restore point was made; empty: the newest. */
  point: string;
  deleted: boolean;
  /** From the top to what is listed, a text for each node. */
  at: readonly string[];
  /** Of mailboxes, OneDrives, sites or teams: what their names have in them. */
  name: string;
  search: string;
  /** Whether the search is over all time. */
  all: boolean;
  /** Empty: mail newest first, all else by name. */
  sort: '' | 'name' | '-name' | 'date' | '-date' | 'size' | '-size';
  /** The item that is open beside the list. */
  open: string;
  /** The restore point that the folder is compared with. */
  with: string;
  /** Whether the filters of the search are shown, and what they are: `search/filters.ts` of the restore portal. */
  filters: boolean;
  types: readonly string[];
  when: string;
  sender: string;
  recipient: string;
  size: string;
  attached: boolean;
  gone: boolean;
}

type RestorePortal = NonNullable<NonNullable<Branding['features']['office365']>['restorePortal']>;

/** Whether the brand has an explorer (specification "portal", part 2: each only if its flag is set). */
function hasExplorer(name: keyof RestorePortal): (branding: Branding) => boolean {
  return ({ features }) => features.office365?.restorePortal?.[name] ?? true;
}

/** Whether the brand has any explorer: without one there is nothing to restore. */
function hasRestorePortal({ features }: Branding): boolean {
  const explorers = features.office365?.restorePortal;
  return explorers === undefined || Object.values(explorers).some((isThere) => isThere);
}

export const restoreOutlook = declarePlace({
  application: o365,
  path: '/o365/outlook',
  access: 'o365.restoreOutlook',
  when: hasExplorer('outlook'),
  search: searchOf<ExplorerSearch>(),
});

export const restoreOneDrive = declarePlace({
  application: o365,
  path: '/o365/onedrive',
  access: 'o365.restoreOnedrive',
  when: hasExplorer('onedrive'),
  search: searchOf<ExplorerSearch>(),
});

export const restoreSharePoint = declarePlace({
  application: o365,
  path: '/o365/sharepoint',
  access: 'o365.restoreSharepoint',
  when: hasExplorer('sharepoint'),
  search: searchOf<ExplorerSearch>(),
});

export const restoreTeams = declarePlace({
  application: o365,
  path: '/o365/teams',
  access: 'o365.restoreTeams',
  when: hasExplorer('teams'),
  search: searchOf<ExplorerSearch>(),
});

export const restoreDownloads = declarePlace({
  application: o365,
  path: '/o365/restore/downloads',
  access: 'o365.restorePortal',
  when: hasRestorePortal,
  search: searchOf<{ view: 'downloads' | 'restores'; open: string }>(),
});

export const restoreDownload = declarePlace({ parent: restoreDownloads, path: '/o365/restore/downloads/$fileId' });

/** The own account, in each application. */
export const profile = declarePlace({ application: monitoring, path: '/monitoring/profile', access: 'signed-in' });
export const o365Profile = declarePlace({ application: o365, path: '/o365/profile', access: 'signed-in' });
export const adminProfile = declarePlace({ application: admin, path: '/admin/profile', access: 'signed-in' });

/** The own password, in each application. */
export const changePassword = declarePlace({
  application: monitoring,
  path: '/monitoring/change-password',
  access: 'signed-in',
});
export const o365ChangePassword = declarePlace({
  application: o365,
  path: '/o365/change-password',
  access: 'signed-in',
});
export const adminChangePassword = declarePlace({
  application: admin,
  path: '/admin/change-password',
  access: 'signed-in',
});

/** The second factors of the own account; the only screen that is open to users who have to add one. */
export const security = declarePlace({
  application: monitoring,
  path: '/monitoring/security',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
export const o365Security = declarePlace({
  application: o365,
  path: '/o365/security',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
export const adminSecurity = declarePlace({
  application: admin,
  path: '/admin/security',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});

/** Where users of a directory begin who have not chosen secret questions; the only screens that are open to them. */
export const securityQuestions = declarePlace({
  application: monitoring,
  path: '/monitoring/security-questions',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
export const o365SecurityQuestions = declarePlace({
  application: o365,
  path: '/o365/security-questions',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
export const adminSecurityQuestions = declarePlace({
  application: admin,
  path: '/admin/security-questions',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});

/** Where users begin who have to choose a new password; the only screens that are open to them. */
export const resetPassword = declarePlace({
  application: monitoring,
  path: '/monitoring/reset-password',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
export const o365ResetPassword = declarePlace({
  application: o365,
  path: '/o365/reset-password',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
export const adminResetPassword = declarePlace({
  application: admin,
  path: '/admin/reset-password',
  access: 'signed-in',
  search: searchOf<{ next: string }>(),
});
