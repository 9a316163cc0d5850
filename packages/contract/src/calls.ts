import * as backups from './administration/backups.ts';
import * as adminDashboard from './administration/dashboard.ts';
import * as secretKey from './administration/secret-key.ts';
import * as testMail from './administration/test-mail.ts';
import * as attention from './attention/attention.ts';
import * as userLogs from './audit/user-logs.ts';
import * as backupClock from './backup-days/backup-clock.ts';
import * as branding from './branding/branding.ts';
import * as brands from './branding/brands.ts';
import * as ipLocation from './branding/ip-location.ts';
import * as companies from './companies/companies.ts';
import * as companyContacts from './companies/company-contacts.ts';
import * as companyNotes from './companies/company-notes.ts';
import * as connections from './connections/connections.ts';
import * as directory from './directory/companies.ts';
import * as consoleAccounts from './directory/console-accounts.ts';
import * as users from './directory/users.ts';
import * as inactiveJobs from './executions/inactive-jobs.ts';
import * as jobExecutions from './executions/job-executions.ts';
import * as faults from './faults/faults.ts';
import * as faultViewers from './faults/viewers.ts';
import * as apiKeys from './identity/api-keys.ts';
import * as identityProviders from './identity/identity-providers.ts';
import * as impersonation from './identity/impersonation.ts';
import * as ownSessions from './identity/own-sessions.ts';
import * as passkeys from './identity/passkeys.ts';
import * as passwords from './identity/passwords.ts';
import * as phones from './identity/phones.ts';
import * as secondFactors from './identity/second-factors.ts';
import * as secretQuestions from './identity/secret-questions.ts';
import * as sessions from './identity/sessions.ts';
import * as signInRules from './identity/sign-in-rules.ts';
import * as singleSignOn from './identity/single-sign-on.ts';
import * as smsSignIn from './identity/sms-sign-in.ts';
import * as userDirectory from './identity/user-directory.ts';
import * as calendar from './insights/calendar.ts';
import * as changes from './insights/changes.ts';
import * as insights from './insights/insights.ts';
import * as computers from './inventory/computers.ts';
import * as repositories from './inventory/repositories.ts';
import * as m365Applications from './microsoft365/applications.ts';
import * as m365Dashboard from './microsoft365/dashboard.ts';
import * as m365Jobs from './microsoft365/jobs.ts';
import * as m365Licensing from './microsoft365/licensing.ts';
import * as m365Maintenance from './microsoft365/maintenance.ts';
import * as m365Organizations from './microsoft365/organizations.ts';
import * as m365Proofs from './microsoft365/proofs.ts';
import * as m365Protection from './microsoft365/protection.ts';
import * as m365Repositories from './microsoft365/repositories.ts';
import * as notifications from './notifications/notifications.ts';
import * as restoreChats from './restore/chats.ts';
import * as restoreDownloads from './restore/downloads.ts';
import * as restoreDrives from './restore/drives.ts';
import * as restoreItems from './restore/items.ts';
import * as restoreMailboxes from './restore/mailboxes.ts';
import * as restorePreviews from './restore/previews.ts';
import * as restoreRoles from './restore/roles.ts';
import * as restoreSessions from './restore/sessions.ts';
import * as restoreSites from './restore/sites.ts';
import * as restoreTeams from './restore/teams.ts';
import * as restoreThreads from './restore/threads.ts';
import * as restoreVersions from './restore/versions.ts';
import * as search from './search/search.ts';
import * as sources from './sources/sources.ts';
import * as support from './support/support.ts';
import * as toolReports from './tool-reports/tool-reports.ts';
import * as hints from './watch/hints.ts';
import type { Call } from './wire/call.ts';

/**
 * The calls among the exports of some modules, by name. Throws where two calls have one name, or one method and path: the second
 * would replace the first in the OpenAPI page and in every test over all calls.
 */
export function callsOf(modules: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, Call>> {
  const byName = new Map<string, Call>();
  const places = new Map<string, string>();
  for (const [name, call] of modules.flatMap((module) => Object.entries(module))) {
    if (!isCall(call)) continue;
    const place = `${call.method} ${call.path}`;
    if (byName.has(name)) throw new Error(`Two calls are named ${name}. Give one of them another name.`);
    const other = places.get(place);
    if (other !== undefined) throw new Error(`${other} and ${name} are both ${place}. A call is declared once.`);
    byName.set(name, call);
    places.set(place, name);
  }
  return Object.fromEntries(byName);
}

/** The modules that declare calls, by capability: the chapters of the OpenAPI page. A new module needs a place here. */
const MODULES = {
  Administration: [adminDashboard, backups, secretKey, testMail],
  Attention: [attention],
  Audit: [userLogs],
  'Backup days': [backupClock],
  Branding: [branding, brands, ipLocation],
  Companies: [companies, companyNotes, companyContacts],
  Connections: [connections],
  Directory: [directory, users, consoleAccounts],
  Identity: [
    sessions,
    passwords,
    userDirectory,
    secretQuestions,
    secondFactors,
    phones,
    passkeys,
    smsSignIn,
    signInRules,
    identityProviders,
    singleSignOn,
    impersonation,
    ownSessions,
    apiKeys,
  ],
  Notifications: [notifications],
  Executions: [jobExecutions, inactiveJobs],
  Faults: [faults, faultViewers],
  Insights: [insights, calendar, changes],
  Inventory: [computers, repositories],
  Sources: [sources],
  'Microsoft 365': [
    m365Organizations,
    m365Repositories,
    m365Maintenance,
    m365Jobs,
    m365Proofs,
    m365Protection,
    m365Applications,
    m365Dashboard,
    m365Licensing,
  ],
  Restore: [
    restoreSessions,
    restoreMailboxes,
    restoreDrives,
    restoreTeams,
    restoreChats,
    restoreSites,
    restoreItems,
    restorePreviews,
    restoreThreads,
    restoreVersions,
    restoreDownloads,
    restoreRoles,
  ],
  Search: [search],
  Support: [support],
  'Tool reports': [toolReports],
  Watch: [hints],
} as const;

/** Every call by its name: for the OpenAPI page, and for tests that ask something of all calls. Not for the browser. */
export const calls = callsOf(Object.values(MODULES).flat());

/** The names of the calls of each capability. */
export const capabilities: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(MODULES).map(([capability, modules]) => [capability, Object.keys(callsOf(modules))]),
);

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;
}
