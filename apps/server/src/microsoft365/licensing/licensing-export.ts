import type { LicensedOrganization, LicensedUser } from '@keepwatch/contract/microsoft365/licensing';
import type { CsvColumn } from '../../foundation/http/replies/csv-export.ts';

/** What the files have of an organization and of a user. */
export const LICENSING_CSV: readonly CsvColumn<LicensedOrganization>[] = [
  { key: 'companyName', header: 'Company' },
  { key: 'organizationName', header: 'Organization' },
  { key: 'licensedUsers', header: 'Licensed users' },
  { key: 'newUsers', header: 'New' },
  { key: 'releasedUsers', header: 'Released' },
  { key: 'bytes', header: 'Stored (bytes)' },
];

export const LICENSED_USER_CSV: readonly CsvColumn<LicensedUser>[] = [
  { key: 'companyName', header: 'Company' },
  { key: 'organizationName', header: 'Organization' },
  { key: 'name', header: 'Name' },
  { key: 'address', header: 'Address' },
  { key: 'licensedFrom', header: 'Licensed from' },
  { key: 'lastBackupOn', header: 'Last backup (UTC)' },
  { key: 'licensedUntil', header: 'Licensed until' },
  { key: 'mailboxBytes', header: 'Mailbox (bytes)' },
  { key: 'archiveBytes', header: 'Archive (bytes)' },
  { key: 'driveBytes', header: 'OneDrive (bytes)' },
  { key: 'chatsBytes', header: 'Chats (bytes)' },
  { key: 'bytes', header: 'Stored (bytes)' },
];
