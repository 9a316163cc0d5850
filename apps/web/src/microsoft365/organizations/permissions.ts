import type { OrganizationDraft } from './organization-draft.ts';

/** One permission of Microsoft Graph that an application gets, and what it is for (documentation "engine", part "Permissions"). */
interface Permission {
  name: string;
  purpose: string;
}

interface Group {
  title: string;
  isFor: (draft: OrganizationDraft) => boolean;
  permissions: readonly Permission[];
}

const always = () => true;

/** What the application that reads gets. */
const READING: readonly Group[] = [
  {
    title: 'To find what can be protected',
    isFor: always,
    permissions: [
      { name: 'User.Read.All', purpose: 'lists users' },
      { name: 'Group.Read.All', purpose: 'lists groups and teams, and reads conversations of groups' },
      { name: 'Sites.Read.All', purpose: 'lists and reads sites' },
    ],
  },
  {
    title: 'Exchange',
    isFor: (draft) => draft.isExchangeOnline,
    permissions: [
      { name: 'Mail.Read', purpose: 'reads mail' },
      { name: 'Calendars.Read', purpose: 'reads calendars' },
      { name: 'Contacts.Read', purpose: 'reads contacts' },
      { name: 'Tasks.Read.All', purpose: 'reads tasks and plans' },
      { name: 'MailboxSettings.Read', purpose: 'reads rules and settings of mailboxes' },
      { name: 'MailboxItem.Export.All', purpose: 'copies items exactly, with every property' },
      { name: 'MailboxFolder.Read.All, MailboxItem.Read.All', purpose: 'reads archive mailboxes' },
    ],
  },
  {
    title: 'SharePoint and OneDrive',
    isFor: (draft) => draft.isSharePointOnline,
    permissions: [{ name: 'Files.Read.All', purpose: 'reads files of OneDrive and of libraries' }],
  },
  {
    title: 'Teams',
    isFor: (draft) => draft.isTeamsOnline,
    permissions: [
      { name: 'Team.ReadBasic.All, TeamMember.Read.All', purpose: 'reads teams and their members' },
      { name: 'Channel.ReadBasic.All, ChannelMember.Read.All', purpose: 'reads channels and their members' },
      { name: 'ChannelMessage.Read.All', purpose: 'reads posts' },
      { name: 'TeamsTab.Read.All, TeamsAppInstallation.ReadForTeam.All', purpose: 'reads tabs and apps' },
    ],
  },
  {
    title: 'Teams chats',
    isFor: (draft) => draft.isTeamsChatsOnline,
    permissions: [{ name: 'Chat.Read.All', purpose: 'reads chats of users' }],
  },
];

/** What the application that restores gets: it alone may write. */
const RESTORING: readonly Group[] = [
  {
    title: 'Second application, used only to restore',
    isFor: always,
    permissions: [
      { name: 'Mail, Calendars, Contacts, Tasks, MailboxSettings (ReadWrite)', purpose: 'restores mailboxes' },
      { name: 'Files.ReadWrite.All', purpose: 'restores files' },
      { name: 'Sites.ReadWrite.All, Sites.Manage.All', purpose: 'restores sites, lists and libraries' },
      { name: 'Teamwork.Migrate.All, TeamMember.ReadWrite.All and others of Teams', purpose: 'restores teams' },
    ],
  },
];

/** The permissions that an organization with these services needs. */
export function permissionsFor(draft: OrganizationDraft): readonly Group[] {
  return [...READING, ...RESTORING].filter(({ isFor }) => isFor(draft));
}
