import { textHash, uid } from '../../world/random.ts';

/** Microsoft Graph itself, as an application that others are given roles of; the same in every tenant. */
export const graphAppId = '00000003-0000-0000-c000-000000000000';

/** SharePoint itself, whose permissions are others than those of Graph with the same names. */
export const sharePointAppId = '00000003-0000-0ff1-ce00-000000000000';

/** Application permissions of SharePoint itself, with their published ids. */
const sharePointIds = {
  'Sites.Read.All': 'd13f72ca-a275-4b96-b789-48ebcc4da984',
  'Sites.ReadWrite.All': 'fbcd29d2-fcca-4405-aded-518d457caae4',
  'Sites.Manage.All': '9bff6588-13f2-4c48-bbf2-ddab62256b36',
  'Sites.FullControl.All': '678536fe-1083-478a-9c59-b99265e6b0d3',
} as const;

/** Application permissions; the ids are the published ones where they are known, and otherwise invented: look them up by name. */
const publishedIds: Readonly<Record<string, string>> = {
  'AppRoleAssignment.ReadWrite.All': '06b708a9-e830-4db3-a914-8e69da51d44f',
  'Application.ReadWrite.All': '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9',
  'Application.ReadWrite.OwnedBy': '18a4783c-866b-4cc7-a460-3d5e5662c884',
  'Calendars.Read': '798ee544-9d2d-430c-a058-570e29e34338',
  'Calendars.ReadWrite': 'ef54d2bf-783f-4e0f-bca1-3210c0444d99',
  'Channel.ReadBasic.All': '59a6b24b-4225-4393-8165-ebaec5f55d7a',
  'ChannelMember.Read.All': '3b55498e-47ec-484f-8136-9013221c06a9',
  'ChannelMessage.Read.All': '7b2449af-6ccd-4f4d-9f78-e550c193f0d1',
  'Chat.Read.All': '6b7d71aa-70aa-4810-a8d9-5d9fb2830017',
  'Contacts.Read': '089fe4d0-434a-44c5-8827-41ba8a0b17f5',
  'Contacts.ReadWrite': '6918b873-d17a-4dc1-b314-35f528134491',
  'Directory.Read.All': '7ab1d382-f21e-4acd-a863-ba3e13f7da61',
  'Directory.ReadWrite.All': '19dbc75e-c2e2-444c-a770-ec69d8559fc7',
  'Domain.Read.All': 'dbb9058a-0e50-45d7-ae91-66909b5d4664',
  'Files.Read.All': '01d4889c-1287-42c6-ac1f-5d1e02578ef6',
  'Files.ReadWrite.All': '75359482-378d-4052-8f01-80520e7db3cd',
  'Group.Read.All': '5b567255-7703-4780-807c-7be8301ae99b',
  'Group.ReadWrite.All': '62a82d76-70ea-41e2-9197-370581804d09',
  'GroupMember.Read.All': '98830695-27a2-44f7-8c18-0c3ebc9698f6',
  'Mail.Read': '810c84a8-4a9e-49e6-bf7d-12d183f40d01',
  'Mail.ReadWrite': 'e2a3a72e-5f79-4c64-b1b1-878b674786c9',
  'Mail.Send': 'b633e1c5-b582-4048-a93e-9f11b44c7e96',
  'MailboxSettings.Read': '40f97065-369a-49f4-947c-6a255697ae91',
  'MailboxSettings.ReadWrite': '6931bccd-447a-43d1-b442-00a195474933',
  'Organization.Read.All': '498476ce-e0fe-48b0-b801-37ba7e2685c6',
  'Reports.Read.All': '230c1aed-a721-4c5d-9cb4-a90514e508ef',
  'Sites.FullControl.All': 'a82116e5-55eb-4c41-a434-62fe8a61c773',
  'Sites.Manage.All': '0c0bf378-bf22-4481-8f81-9e89a9b4960a',
  'Sites.Read.All': '332a536c-c7ef-4017-ab91-336970924f0d',
  'Sites.ReadWrite.All': '9492366f-7969-46a4-8d15-ed1a20078fff',
  'Tasks.Read.All': 'f10e1f91-74ed-437f-a6fd-d6ae88e26c1f',
  'Tasks.ReadWrite.All': '44e666d1-d276-445b-a5fc-8815eeb81d55',
  'Team.Create': '23fc2474-f741-46ce-8465-674744c5c361',
  'Team.ReadBasic.All': '2280dda6-0bfd-44ee-a2f4-cb867cfc4c1e',
  'TeamMember.Read.All': '660b7406-55f1-41ca-a0ed-0b035e182f3e',
  'TeamsTab.ReadWrite.All': 'a96d855f-016b-47d7-b51c-1218a98d791c',
  'Teamwork.Migrate.All': 'dfb0dd15-61de-45b2-be36-d6a69fba3c79',
  'User.Read.All': 'df021288-bdef-4463-88db-98f22de89214',
  'User.ReadWrite.All': '741f803b-c850-494e-b5df-cde7c675a1ca',
};

const namesOfInventedIds = [
  'Application.Read.All',
  'Channel.Create',
  'Channel.Delete.All',
  'ChannelMember.ReadWrite.All',
  'ChannelSettings.Read.All',
  'ChannelSettings.ReadWrite.All',
  'Chat.ReadBasic.All',
  'Chat.ReadWrite.All',
  'ChatMember.Read.All',
  'DelegatedPermissionGrant.ReadWrite.All',
  'Group-Conversation.Read.All',
  'GroupMember.ReadWrite.All',
  'LicenseAssignment.Read.All',
  'MailboxFolder.Read.All',
  'MailboxFolder.ReadWrite.All',
  'MailboxItem.Export.All',
  'MailboxItem.ImportExport.All',
  'MailboxItem.Read.All',
  'TeamMember.ReadWrite.All',
  'TeamSettings.Read.All',
  'TeamSettings.ReadWrite.All',
  'TeamsAppInstallation.ReadForTeam.All',
  'TeamsAppInstallation.ReadWriteForTeam.All',
  'TeamsTab.Create',
  'TeamsTab.Read.All',
] as const;

const idByName: ReadonlyMap<string, string> = new Map([
  ...Object.entries(publishedIds),
  ...namesOfInventedIds.map((name): [string, string] => [name, uid(textHash(name), 521)]),
]);

const nameById: ReadonlyMap<string, string> = new Map([...idByName].map(([name, id]) => [id, name]));

/** Names of all application permissions. */
export const permissionNames: readonly string[] = [...idByName.keys()].toSorted();

export const permissionId = (name: string): string | undefined => idByName.get(name);

export const permissionName = (id: string): string | undefined => nameById.get(id);

/** Roles that a resource has, by their ids. */
export const rolesOfResource = (appId: string): ReadonlyMap<string, string> =>
  (appId === graphAppId && nameById) || (appId === sharePointAppId && sharePointNameById) || noRoles;

const sharePointNameById: ReadonlyMap<string, string> = new Map(
  Object.entries(sharePointIds).map(([name, id]) => [id, name]),
);
const noRoles: ReadonlyMap<string, string> = new Map();
