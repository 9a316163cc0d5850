import type { LicensedUser, listLicensedUsers, UserPart } from '@keepwatch/contract/microsoft365/licensing';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column, CompactRows } from '../../kit/data-table/column.ts';
import { formatDay } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import styles from '../microsoft365.module.css';

/** What is backed up of a user, as people read it. */
export const PART_TEXTS: Readonly<Record<UserPart, string>> = {
  mailbox: 'Mailbox',
  archive: 'Archive mailbox',
  drive: 'OneDrive',
  chats: 'Chats',
};

/** `Mailbox, OneDrive`. */
export function partsText({ mailboxBytes, archiveBytes, driveBytes, chatsBytes }: LicensedUser): string {
  const bytes = { mailbox: mailboxBytes, archive: archiveBytes, drive: driveBytes, chats: chatsBytes };
  return (['mailbox', 'archive', 'drive', 'chats'] as const)
    .filter((part) => bytes[part] !== null)
    .map((part) => PART_TEXTS[part])
    .join(', ');
}

export const LICENSED_USER_COLUMNS: readonly Column<LicensedUser, SortOf<typeof listLicensedUsers>>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(150px, 2fr)',
    sort: 'name',
    cell: ({ name, address }) => <span title={address ?? undefined}>{name}</span>,
  },
  {
    key: 'address',
    title: 'Address',
    width: 'minmax(160px, 2fr)',
    minTableWidthPx: 900,
    cell: ({ address }) => <span title={address ?? undefined}>{address}</span>,
  },
  {
    key: 'organization',
    title: 'Organization',
    width: 'minmax(120px, 1.5fr)',
    sort: 'organizationName',
    minTableWidthPx: 620,
    cell: ({ organizationName, companyName }) => <span title={companyName}>{organizationName}</span>,
  },
  {
    key: 'parts',
    title: 'Backed up',
    width: 'minmax(130px, 1.5fr)',
    minTableWidthPx: 800,
    cell: (user) => <span title={partsText(user)}>{partsText(user)}</span>,
  },
  {
    key: 'from',
    title: 'Licensed from',
    width: '132px',
    sort: 'licensedFrom',
    minTableWidthPx: 1_100,
    cell: ({ licensedFrom }) => formatDay(licensedFrom),
  },
  {
    key: 'last',
    title: 'Last backup',
    hint: 'The UTC day; the licence is used until the 31st day from it',
    width: '132px',
    sort: 'lastBackupOn',
    cell: ({ lastBackupOn }) => formatDay(lastBackupOn),
  },
  {
    key: 'bytes',
    title: 'Stored',
    width: '92px',
    align: 'end',
    sort: 'bytes',
    cell: ({ bytes }) => formatBytes(bytes),
  },
];

/** On a phone: what is backed up below the name. */
export const COMPACT_LICENSED_USERS: CompactRows<LicensedUser> = {
  belowPx: 480,
  rowHeightPx: 64,
  headings: ['name', 'bytes'],
  cell: (user) => (
    <span className={styles.compact}>
      <strong>{user.name}</strong>
      <span className={styles.muted}>{user.address ?? user.organizationName}</span>
      <span>{`${partsText(user)} · ${formatBytes(user.bytes)} · ${formatDay(user.lastBackupOn)}`}</span>
    </span>
  ),
};
