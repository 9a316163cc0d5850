import type { LicenseChange, LicensedOrganization, listLicensing } from '@keepwatch/contract/microsoft365/licensing';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { o365LicensedUsers } from '../../entities/places.ts';
import type { Column, CompactRows } from '../../kit/data-table/column.ts';
import { formatBytes, formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from '../microsoft365.module.css';

/** The columns of a range of days: each figure leads to the users that it counts. */
export function licensingColumns(date: string): readonly Column<LicensedOrganization, SortOf<typeof listLicensing>>[] {
  const figure = (row: LicensedOrganization, count: number, change: LicenseChange | '' = '') =>
    count === 0 ? (
      '0'
    ) : (
      <ScreenLink to={o365LicensedUsers.at({ date, organization: row._id, change })}>{formatCount(count)}</ScreenLink>
    );
  return [
    {
      key: 'company',
      title: 'Company',
      width: 'minmax(130px, 2fr)',
      sort: 'companyName',
      cell: ({ companyName }) => companyName,
    },
    {
      key: 'organization',
      title: 'Organization',
      width: 'minmax(130px, 2fr)',
      sort: 'organizationName',
      cell: ({ organizationName }) => organizationName,
    },
    {
      key: 'licensed',
      title: 'Licensed users',
      hint: 'Users of whom something was backed up on one of these days or in the 30 days before it',
      width: '152px',
      align: 'end',
      sort: 'licensedUsers',
      cell: (row) => figure(row, row.licensedUsers),
    },
    {
      key: 'new',
      title: 'New',
      hint: 'Of these: backed up for the first time, or again after their licence was released',
      width: '84px',
      align: 'end',
      sort: 'newUsers',
      minTableWidthPx: 620,
      cell: (row) => figure(row, row.newUsers, 'new'),
    },
    {
      key: 'released',
      title: 'Released',
      hint: 'Of these: no longer licensed, as nothing of them was backed up for 31 days',
      width: '116px',
      align: 'end',
      sort: 'releasedUsers',
      minTableWidthPx: 720,
      cell: (row) => figure(row, row.releasedUsers, 'released'),
    },
    {
      key: 'bytes',
      title: 'Stored',
      hint: 'Current items of these users, as large as they are at Microsoft',
      width: '100px',
      align: 'end',
      sort: 'bytes',
      minTableWidthPx: 520,
      cell: ({ bytes }) => formatBytes(bytes),
    },
  ];
}

/** On a phone: the figures below the names. */
export function compactLicensing(date: string): CompactRows<LicensedOrganization> {
  return {
    belowPx: 480,
    rowHeightPx: 64,
    headings: ['company', 'licensed'],
    cell: ({ _id, companyName, organizationName, licensedUsers, bytes }) => (
      <span className={styles.compact}>
        <strong>{organizationName}</strong>
        <span className={styles.muted}>{companyName}</span>
        <span>
          <ScreenLink to={o365LicensedUsers.at({ date, organization: _id })}>
            {formatCounted(licensedUsers, 'licensed user', 'licensed users')}
          </ScreenLink>
          {` · ${formatBytes(bytes)}`}
        </span>
      </span>
    ),
  };
}
