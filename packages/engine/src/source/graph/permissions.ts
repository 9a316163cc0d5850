import type { ObjectKind } from '../../model/protected-object.ts';
import { type GraphOptions, identityAddressOf, scopeOf } from './connection.ts';
import { isObject, type JsonObject, textOf } from './json.ts';
import { Limits } from './requests/limits.ts';
import { type ApplicationCredentials, applicationOf } from './sign-in/application.ts';

/** An application permission of Graph that the engine uses, and what for. */
export interface Permission {
  name: string;
  use: 'backup' | 'restore';
  /** Objects that cannot be read or written without it; all, where it finds the objects themselves. */
  kinds: readonly ObjectKind[];
  /** What is missing without it, for a person. */
  without: string;
  /** Others that include it. */
  coveredBy: readonly string[];
  /** Without it everything is still brought back, but not as true to the letter. */
  isOptional?: boolean;
}

const EVERY: readonly ObjectKind[] = ['mailbox', 'archive', 'drive', 'site', 'team', 'chats', 'planner'];
const DIRECTORY = ['Directory.Read.All', 'Directory.ReadWrite.All'];

/** https://learn.microsoft.com/graph/permissions-reference; the least that each call of the engine asks for. */
export const PERMISSIONS: readonly Permission[] = [
  forBackup('User.Read.All', EVERY, 'no person is found', ['User.ReadWrite.All', ...DIRECTORY]),
  forBackup('Group.Read.All', ['team', 'mailbox', 'planner'], 'no teams, and no conversations and plans of groups', [
    'Group.ReadWrite.All',
    ...DIRECTORY,
  ]),
  forBackup('Mail.Read', ['mailbox'], 'no mail folders and messages', ['Mail.ReadWrite']),
  forBackup('Calendars.Read', ['mailbox'], 'no calendars', ['Calendars.ReadWrite']),
  forBackup('Contacts.Read', ['mailbox'], 'no contacts', ['Contacts.ReadWrite']),
  forBackup('Tasks.Read.All', ['mailbox', 'planner'], 'no tasks, and no plans of groups', ['Tasks.ReadWrite.All']),
  forBackup('MailboxSettings.Read', ['mailbox'], 'no inbox rules, categories and settings', [
    'MailboxSettings.ReadWrite',
  ]),
  {
    ...forBackup(
      'MailboxItem.Export.All',
      ['mailbox', 'archive'],
      'no archives, and items in the forms of Graph alone',
      ['MailboxItem.ImportExport.All'],
    ),
    isOptional: true,
  },
  {
    ...forBackup('MailboxFolder.Read.All', ['archive'], 'no archives', ['MailboxFolder.ReadWrite.All']),
    isOptional: true,
  },
  { ...forBackup('MailboxItem.Read.All', ['archive'], 'no archives', []), isOptional: true },
  forBackup('Files.Read.All', ['drive'], 'no OneDrives and libraries', ['Files.ReadWrite.All']),
  forBackup('Sites.Read.All', ['site', 'drive'], 'no sites and their libraries', [
    'Sites.ReadWrite.All',
    'Sites.Manage.All',
    'Sites.FullControl.All',
  ]),
  {
    ...forBackup('Sites.FullControl.All', ['site'], 'no list of the applications that a site is given to', []),
    isOptional: true,
  },
  forBackup('Team.ReadBasic.All', ['team'], 'no teams', ['TeamSettings.Read.All', 'TeamSettings.ReadWrite.All']),
  forBackup('Channel.ReadBasic.All', ['team'], 'no channels', [
    'ChannelSettings.Read.All',
    'ChannelSettings.ReadWrite.All',
  ]),
  forBackup('ChannelMember.Read.All', ['team'], 'no members of private and shared channels', [
    'ChannelMember.ReadWrite.All',
  ]),
  forBackup('ChannelMessage.Read.All', ['team'], 'no posts', []),
  forBackup('TeamsTab.Read.All', ['team'], 'no tabs', ['TeamsTab.ReadWrite.All']),
  forBackup('TeamMember.Read.All', ['team'], 'no members of teams', ['TeamMember.ReadWrite.All']),
  forBackup('TeamsAppInstallation.ReadForTeam.All', ['team'], 'no list of the apps of teams', [
    'TeamsAppInstallation.ReadWriteForTeam.All',
  ]),
  forBackup('Chat.Read.All', ['chats'], 'no chats', ['Chat.ReadWrite.All']),
  forRestore('Mail.ReadWrite', ['mailbox'], 'no messages can be restored'),
  forRestore('Calendars.ReadWrite', ['mailbox'], 'no events can be restored'),
  forRestore('Contacts.ReadWrite', ['mailbox'], 'no contacts can be restored'),
  forRestore('Tasks.ReadWrite.All', ['mailbox', 'planner'], 'no tasks and plans can be restored'),
  forRestore('MailboxSettings.ReadWrite', ['mailbox'], 'no inbox rules, categories and settings can be restored'),
  {
    ...forRestore(
      'MailboxItem.ImportExport.All',
      ['mailbox', 'archive'],
      'no archives can be restored, and mail comes back from its MIME',
    ),
    isOptional: true,
  },
  forRestore('Files.ReadWrite.All', ['drive'], 'no files can be restored'),
  {
    ...forRestore('Sites.ReadWrite.All', ['site'], 'no list items can be restored'),
    coveredBy: ['Sites.Manage.All', 'Sites.FullControl.All'],
  },
  {
    ...forRestore('Sites.Manage.All', ['site'], 'no lists and columns can be made'),
    coveredBy: ['Sites.FullControl.All'],
  },
  forRestore('Teamwork.Migrate.All', ['team'], 'no channels and posts can be restored'),
  { ...forRestore('TeamsTab.Create', ['team'], 'no tabs can be restored'), coveredBy: ['TeamsTab.ReadWrite.All'] },
  forRestore('TeamsAppInstallation.ReadWriteForTeam.All', ['team'], 'no apps of teams can be restored'),
  forRestore('TeamMember.ReadWrite.All', ['team'], 'no members of teams can be restored'),
  forRestore('TeamSettings.ReadWrite.All', ['team'], 'no settings of teams can be restored'),
];

const SITES = ['Sites.ReadWrite.All', 'Sites.Manage.All', 'Sites.FullControl.All'];

/**
 * Application permissions of SharePoint itself (Office 365 SharePoint Online), which are others than those of Graph with the same names. Who may see
 * which roles others have has full control: https://learn.microsoft.com/sharepoint/understanding-permission-levels
 */
export const SHAREPOINT_PERMISSIONS: readonly Permission[] = [
  { ...forBackup('Sites.Read.All', ['site'], 'no files attached to rows of lists', SITES), isOptional: true },
  {
    ...forBackup('Sites.FullControl.All', ['site'], 'no roles of persons and groups in sites', []),
    isOptional: true,
  },
  {
    ...forRestore('Sites.ReadWrite.All', ['site'], 'no files can be attached to rows of lists'),
    coveredBy: SITES.slice(1),
    isOptional: true,
  },
];

function forBackup(
  name: string,
  kinds: readonly ObjectKind[],
  without: string,
  coveredBy: readonly string[],
): Permission {
  return { name, use: 'backup', kinds, without, coveredBy };
}

function forRestore(name: string, kinds: readonly ObjectKind[], without: string): Permission {
  return { name, use: 'restore', kinds, without, coveredBy: [] };
}

/** Those of the permissions that an application has neither itself nor by a larger one. */
export function missingPermissions(
  granted: ReadonlySet<string>,
  all: readonly Permission[] = PERMISSIONS,
): Permission[] {
  return all.filter(({ name, coveredBy }) => ![name, ...coveredBy].some((one) => granted.has(one)));
}

/**
 * Signs in as an application, and reads from its token what was consented to.
 * @returns names of permissions; `null` where the token does not contain them, which it need not
 * @throws EngineError when it cannot sign in
 */
export async function grantedPermissions(
  options: GraphOptions,
  credentials: ApplicationCredentials,
): Promise<ReadonlySet<string> | null> {
  return rolesOf(await tokenOf(options, credentials));
}

/** Signs in as an application, with a token that was given out now. @throws EngineError */
export function tokenOf(options: GraphOptions, credentials: ApplicationCredentials): Promise<string> {
  const address = identityAddressOf(options);
  const limits = new Limits(1_000, address.clock);
  return applicationOf(credentials, address, scopeOf(options.cloud), limits).token.get();
}

/** Claim `roles`; https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference. Without any role the claim is missing. */
export function rolesOf(token: string): ReadonlySet<string> | null {
  const claims = claimsOf(token);
  if (claims === null) return null;
  const roles = claims['roles'] ?? [];
  return Array.isArray(roles) ? new Set(roles.map(String)) : null;
}

/** Claim `tid`: the id of the tenant, which may have been named by a domain. */
export function tenantOf(token: string): string | undefined {
  return textOf(claimsOf(token)?.['tid']);
}

function claimsOf(token: string): JsonObject | null {
  const [, payload] = token.split('.');
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) ? claims : null;
  } catch {
    // An opaque token is in its right: only Graph has to read it.
    return null;
  }
}
