/** What a person does to open a layer: clicks a button by its name, or presses a key. */
type Step = { click: string | RegExp } | { press: string };

/** A panel, menu or dialog that opens above the page. */
export interface Layer {
  /** Its file below `apps/web/src`. */
  file: string;
  /** Its name for screen readers. */
  name: string | RegExp;
  /** The screen on which it is opened. */
  path: string;
  steps: readonly Step[];
  /** What is typed goes into a field that accepts any text. */
  hasField?: true;
  /** It asks before what was typed is lost. */
  asksBeforeClosing?: true;
}

const DAILY_CHECKS = '/monitoring/daily-checks?state=pending';
/** Runs of the history that may belong to several jobs of one name. */
const UNASSIGNED = '/monitoring/daily-checks?state=all&unassigned=true&date=Last+30+Days';
const QUEUE = '/monitoring/queue?state=open';
const DASHBOARD = '/monitoring/dashboard';
const CALENDAR = '/monitoring/calendar-report';
const COMPANIES = '/monitoring/companies';
const ONE_COMPANY = '/monitoring/companies?sort=name';
const SOURCES = '/monitoring/sources';
const CONNECTORS = '/admin/connectors';
const HINTS = '/monitoring/hints';
const USERS = '/monitoring/users';
/** One user, who is not the one at the screen. */
const ONE_USER = '/monitoring/users?search=reader';
const USER_LOGS = '/monitoring/users-logs';

const FILTERS_FILE = 'executions/daily-checks-filters.tsx';
const QUEUE_FILE = 'faults/queue-filters.tsx';
const TOOLBAR_FILE = 'insights/dashboard/dashboard-toolbar.tsx';
const BAR_FILE = 'executions/edits/executions-bar.tsx';

/** Every layer of the application that a person can open. The check beside the tools finds one that is missing here. */
export const LAYERS: readonly Layer[] = [
  { file: 'shell/app-switcher.tsx', name: 'Application', path: DAILY_CHECKS, steps: [{ click: 'Monitoring' }] },
  {
    file: 'shell/company-scope.tsx',
    name: 'Scope: what all screens show',
    path: DAILY_CHECKS,
    steps: [{ click: 'Scope' }],
    hasField: true,
  },
  {
    file: 'shell/palette/palette.tsx',
    name: 'Command palette',
    path: DAILY_CHECKS,
    steps: [{ press: 'Control+k' }],
    hasField: true,
  },
  { file: 'shell/user-menu.tsx', name: 'Account', path: DAILY_CHECKS, steps: [{ click: /^Account of / }] },
  {
    file: 'shell/last-sync.tsx',
    name: 'Last sync',
    path: DAILY_CHECKS,
    steps: [{ click: /^(Synced|Syncing|Sync failed)/ }],
  },
  { file: 'shell/shortcut-overlay.tsx', name: 'Keyboard shortcuts', path: DAILY_CHECKS, steps: [{ press: '?' }] },
  { file: FILTERS_FILE, name: 'Date range', path: DAILY_CHECKS, steps: [{ click: /^Last 2 days/i }] },
  { file: FILTERS_FILE, name: 'State', path: DAILY_CHECKS, steps: [{ click: /^State/ }] },
  { file: FILTERS_FILE, name: 'Result', path: DAILY_CHECKS, steps: [{ click: /^Result$/ }] },
  { file: FILTERS_FILE, name: 'Companies', path: DAILY_CHECKS, steps: [{ click: /^Company$/ }], hasField: true },
  {
    file: 'executions/more-filters.tsx',
    name: 'More filters',
    path: DAILY_CHECKS,
    steps: [{ click: /^More filters/ }],
    hasField: true,
  },
  {
    file: BAR_FILE,
    name: 'Ignore the selected runs',
    path: DAILY_CHECKS,
    steps: [{ press: 'j' }, { press: 'x' }, { press: 'i' }],
  },
  {
    file: BAR_FILE,
    name: 'Note on the selected runs',
    path: DAILY_CHECKS,
    steps: [{ press: 'j' }, { press: 'x' }, { press: 'n' }],
    hasField: true,
  },
  {
    file: 'executions/run/assign-job.tsx',
    name: /^Assign to .+\?$/,
    path: UNASSIGNED,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: /^Assign to / }],
  },
  {
    file: 'executions/run/drawer-head.tsx',
    name: 'Ignore this run',
    path: DAILY_CHECKS,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Ignore' }],
  },
  { file: QUEUE_FILE, name: 'State', path: QUEUE, steps: [{ click: /^State/ }] },
  { file: QUEUE_FILE, name: 'Now', path: QUEUE, steps: [{ click: /^Now$/ }] },
  { file: QUEUE_FILE, name: 'Companies', path: QUEUE, steps: [{ click: /^Company$/ }], hasField: true },
  { file: QUEUE_FILE, name: 'Source', path: QUEUE, steps: [{ click: /^Source$/ }] },
  { file: QUEUE_FILE, name: 'Managed', path: QUEUE, steps: [{ click: /^Managed/ }] },
  {
    file: 'faults/queue-bar.tsx',
    name: 'Ignore the selected faults',
    path: QUEUE,
    steps: [{ press: 'j' }, { press: 'x' }, { press: 'i' }],
  },
  {
    file: 'faults/queue-bar.tsx',
    name: 'Note on the selected faults',
    path: QUEUE,
    steps: [{ press: 'j' }, { press: 'x' }, { press: 'n' }],
    hasField: true,
  },
  {
    file: 'faults/morning/morning-actions.tsx',
    name: 'Ignore this fault',
    path: `${QUEUE}&morning=start`,
    steps: [{ click: /^Ignore/ }],
  },
  { file: TOOLBAR_FILE, name: 'Date range', path: DASHBOARD, steps: [{ click: /^Last 7 days/i }] },
  { file: TOOLBAR_FILE, name: 'Companies', path: DASHBOARD, steps: [{ click: /^Company$/ }], hasField: true },
  { file: TOOLBAR_FILE, name: 'Source', path: DASHBOARD, steps: [{ click: /^Source$/ }] },
  {
    file: 'insights/dashboard/inactive-job-row.tsx',
    name: /^Ignore /,
    path: DASHBOARD,
    steps: [{ click: /^Ignore / }],
  },
  {
    file: 'insights/dashboard/figure-dialog.tsx',
    name: /^Computers without agent/,
    path: DASHBOARD,
    steps: [{ click: /computers without agent$/ }],
  },
  { file: 'shell/privacy-policy.tsx', name: 'Privacy Policy', path: DASHBOARD, steps: [{ click: 'Privacy Policy' }] },
  {
    file: 'insights/calendar/calendar.screen.tsx',
    name: 'Companies',
    path: CALENDAR,
    steps: [{ click: /^Company$/ }],
    hasField: true,
  },
  { file: 'insights/calendar/calendar.screen.tsx', name: 'Source', path: CALENDAR, steps: [{ click: /^Source$/ }] },
  {
    file: 'companies/company-dialog.tsx',
    name: 'Add a company',
    path: COMPANIES,
    steps: [{ click: /^Add/ }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'companies/deleted-companies.tsx',
    name: 'Deleted companies',
    path: COMPANIES,
    steps: [{ click: 'Deleted companies' }],
    hasField: true,
  },
  // The first of them leads to the page of a company, where the others are opened.
  {
    file: 'companies/page/edit-company.tsx',
    name: /^Edit /,
    path: ONE_COMPANY,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Edit' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'companies/page/console-links.tsx',
    name: 'Companies in consoles',
    path: ONE_COMPANY,
    steps: [{ click: 'Edit' }, { click: 'Link to a console' }],
    hasField: true,
  },
  {
    file: 'companies/page/delete-company.tsx',
    name: /^Delete /,
    path: ONE_COMPANY,
    steps: [{ click: 'Delete' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'companies/page/contact-dialog.tsx',
    name: 'Add a contact',
    path: ONE_COMPANY,
    steps: [{ click: 'Add contact' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  { file: 'sources/console-row.tsx', name: /^More for /, path: SOURCES, steps: [{ click: /^More for / }] },
  {
    file: 'sources/consoles.tsx',
    name: /^Disconnect /,
    path: SOURCES,
    steps: [{ click: /^More for / }, { click: 'Disconnect…' }],
  },
  {
    file: 'sources/source-dialog.tsx',
    name: 'Connect a console',
    path: SOURCES,
    steps: [{ click: 'Connect a console' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'sources/tool-reports/token-dialog.tsx',
    name: 'Create an intake token',
    path: SOURCES,
    steps: [{ click: /^Create a token/ }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'sources/tool-reports/token-dialog.tsx',
    name: 'Companies',
    path: SOURCES,
    steps: [{ click: /^Create a token/ }, { click: /^Company/ }],
    hasField: true,
  },
  { file: 'sources/tool-reports/revoke-token.tsx', name: /^Revoke /, path: SOURCES, steps: [{ click: /^Revoke / }] },
  {
    file: 'connections/connectors.screen.tsx',
    name: 'Health',
    path: CONNECTORS,
    steps: [{ click: /^Health/ }],
  },
  {
    file: 'entities/connection/connection-dialog.tsx',
    name: 'Add a connection',
    path: CONNECTORS,
    steps: [{ click: 'Add connection' }, { click: /^Mail server/ }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'watch/hint-dialog.tsx',
    name: 'Add a hint',
    path: HINTS,
    steps: [{ click: 'Add hint' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'watch/hint-panel.tsx',
    name: 'Delete VSS writer not ready?',
    path: HINTS,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Delete' }],
  },
  { file: 'directory/users.screen.tsx', name: 'Role', path: USERS, steps: [{ click: /^Role$/ }] },
  { file: 'directory/users.screen.tsx', name: 'State', path: USERS, steps: [{ click: /^State$/ }] },
  {
    file: 'directory/add-user.tsx',
    name: 'Add a user',
    path: USERS,
    steps: [{ click: 'Add user' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'directory/edit-user.tsx',
    name: /^Edit /,
    path: ONE_USER,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Edit' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'directory/set-password.tsx',
    name: /^Set the password of /,
    path: ONE_USER,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Set password' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'directory/console-accounts.tsx',
    name: /^Console accounts of /,
    path: ONE_USER,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Console accounts' }],
    hasField: true,
  },
  {
    file: 'directory/delete-user.tsx',
    name: /^Delete .+\?$/,
    path: ONE_USER,
    steps: [{ press: 'j' }, { press: 'Enter' }, { click: 'Delete' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'identity/api-keys/key-dialog.tsx',
    name: 'Create an API key',
    path: '/monitoring/profile',
    steps: [{ click: 'Create a key' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'identity/second-factors/add-authenticator.tsx',
    name: 'Add an authenticator app',
    path: '/monitoring/security',
    steps: [{ click: 'Add app' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'identity/second-factors/add-passkey.tsx',
    name: 'Add a passkey',
    path: '/monitoring/security',
    steps: [{ click: 'Add passkey' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'identity/second-factors/add-phone.tsx',
    name: 'Add a phone',
    path: '/monitoring/security',
    steps: [{ click: 'Add phone' }],
    hasField: true,
    asksBeforeClosing: true,
  },
  {
    file: 'administration/settings/rotate-dialog.tsx',
    name: 'Rotate the key of the stored secrets',
    path: '/admin/settings',
    steps: [{ click: /^Rotate key/ }],
    hasField: true,
    asksBeforeClosing: true,
  },
  { file: 'audit/user-logs.screen.tsx', name: 'Date range', path: USER_LOGS, steps: [{ click: /^Last 30 days/i }] },
  { file: 'audit/user-logs.screen.tsx', name: 'Action', path: USER_LOGS, steps: [{ click: /^Action$/ }] },
];

const NO_IDENTITY_PROVIDER = 'It is about an identity provider, and the demonstration has none.';
const NO_FACTOR = 'It is about a second factor, and no user of the demonstration has one.';
const NO_BACKUP = 'It restores a backup of the portal, and there is none at first.';
const OF_MICROSOFT365 =
  'It is of Microsoft 365, which the account of this journey has no part in; the tests of its screens open it.';

/** Layers that the account of this journey cannot open, and why. */
export const CLOSED_LAYERS: readonly { file: string; why: string }[] = [
  { file: 'directory/account-fields.tsx', why: 'It chooses companies within the dialogs that add and change a user.' },
  {
    file: 'companies/page/contacts-section.tsx',
    why: 'It asks before a contact of a company is removed, and there is none at first.',
  },
  { file: 'directory/reset-second-factors.tsx', why: NO_FACTOR },
  {
    file: 'entities/notes/note-thread.tsx',
    why: 'It asks before a note of the user is removed, and there is none at first.',
  },
  { file: 'identity/second-factors/remove-authenticator.tsx', why: NO_FACTOR },
  { file: 'identity/second-factors/remove-passkey.tsx', why: NO_FACTOR },
  { file: 'identity/second-factors/remove-phone.tsx', why: NO_FACTOR },
  { file: 'identity/second-factors/rename-passkey.tsx', why: NO_FACTOR },
  { file: 'identity/second-factors/renew-recovery-codes.tsx', why: NO_FACTOR },
  { file: 'identity/single-sign-on/groups-dialog.tsx', why: NO_IDENTITY_PROVIDER },
  { file: 'identity/single-sign-on/groups-dialog.tsx', why: NO_IDENTITY_PROVIDER },
  { file: 'directory/invitation-dialog.tsx', why: 'It shows a new link, and each visit would leave a user behind.' },
  {
    file: 'identity/api-keys/key-dialog.tsx',
    why: 'It shows the token of a new key, and each visit would leave one behind.',
  },
  {
    file: 'identity/api-keys/revoke-key.tsx',
    why: 'It asks before a key of the user is revoked, and there is none at first.',
  },
  {
    file: 'administration/backups/backup-list.tsx',
    why: 'It asks before a backup is deleted, and there is none at first.',
  },
  {
    file: 'administration/settings/previous-key.tsx',
    why: 'It asks before a key is deleted that a rotation left, and there was none.',
  },
  { file: 'administration/backups/restore-dialog.tsx', why: NO_BACKUP },
  { file: 'administration/backups/restore-dialog.tsx', why: NO_BACKUP },
  { file: 'shell/activity/activity.tsx', why: OF_MICROSOFT365 },
  {
    file: 'connections/connection-panel.tsx',
    why: 'deletes a connection; those of the demonstration are consoles, which are disconnected in Sources',
  },
  {
    file: 'sources/unmatched-runs.tsx',
    why: 'It lists the runs that fit no job, and each run of the demonstration fits at least one.',
  },
  {
    file: 'sources/tool-reports/token-dialog.tsx',
    why: 'It shows a new token, and each visit would leave one behind.',
  },
  { file: 'microsoft365/jobs/jobs.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/jobs/job-panel.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/jobs/job-notifications.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/jobs/notified-users.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/jobs/job-steps.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/jobs/workers.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/dashboard/dashboard.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/dashboard/figure-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/licensing/licensing.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/licensing/licensed-users.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/licensing/licensed-users.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/licensing/licensed-users.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/organizations/company-step.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/organizations/add-application.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/organizations/delete-organization.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/organizations/organization-applications.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/operator-roles/operators.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/operator-roles/role-panel.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/operator-roles/role-steps.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/proofs/proofs.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/repositories.screen.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/edit-repository.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/delete-repository.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/maintenance.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/maintenance-plan-form.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/repository-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/repository-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'microsoft365/repositories/repository-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/explorer/point-bar.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/explorer/point-bar.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/points/sign-in-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/points/at-point.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/compare/comparison.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/compare/comparison.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/search/search-filters.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/search/search-filters.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/search/search-filters.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/versions/versions-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/operations/destination-field.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/operations/restore-dialog.tsx', why: OF_MICROSOFT365 },
  { file: 'restore/downloads/download-dialog.tsx', why: OF_MICROSOFT365 },
  {
    file: 'shell/microsoft365-prompts.tsx',
    why: 'It opens where the brand has terms of use, which the demonstration has not.',
  },
  { file: 'shell/microsoft365-prompts.tsx', why: 'It opens on arrival, for users without an organization or job.' },
];
