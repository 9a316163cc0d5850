import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
import type { listOrganizations, Organization } from '@keepwatch/contract/microsoft365/organizations';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column, CompactRows } from '../../kit/data-table/column.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import styles from '../microsoft365.module.css';
import { ProvedOrganization } from '../proofs/proved.tsx';
import { CertificateDays } from './certificate-days.tsx';
import { servicesText } from './organization-words.ts';

export const ORGANIZATION_COLUMNS: readonly Column<Organization, SortOf<typeof listOrganizations>>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(150px, 2fr)',
    sort: 'name',
    cell: ({ name, officeName }) => <span title={officeName}>{name}</span>,
  },
  {
    key: 'company',
    title: 'Company',
    width: 'minmax(130px, 1.5fr)',
    sort: 'companyName',
    cell: ({ companyName }) => companyName,
  },
  {
    key: 'services',
    title: 'Services',
    width: 'minmax(150px, 2fr)',
    minTableWidthPx: 900,
    cell: (row) => <span title={servicesText(row)}>{servicesText(row)}</span>,
  },
  {
    key: 'jobs',
    title: 'Jobs',
    width: '64px',
    align: 'end',
    minTableWidthPx: 700,
    cell: ({ jobCount }) => formatCount(jobCount),
  },
  {
    key: 'lastBackup',
    title: 'Last backup',
    width: '150px',
    sort: 'lastBackuptime',
    minTableWidthPx: 560,
    cell: ({ lastBackuptime }) => (lastBackuptime === null ? 'never' : formatDateTime(lastBackuptime)),
  },
  {
    key: 'certificate',
    title: 'Certificate',
    hint: 'How long the certificate of its application is still valid',
    width: '120px',
    cell: ({ certificateDaysLeft }) => <CertificateDays daysLeft={certificateDaysLeft} />,
  },
  {
    key: 'proof',
    title: 'Proof',
    hint: 'When a sample of its backups was last restored to memory and checked',
    width: 'minmax(150px, 2fr)',
    minTableWidthPx: 1_000,
    isWrapped: true,
    cell: (organization) =>
      hasFeature(organization.engine, 'proofs') ? <ProvedOrganization organization={organization} /> : null,
  },
];

/** On a phone: whose it is below its name. */
export const COMPACT_ORGANIZATIONS: CompactRows<Organization> = {
  belowPx: 480,
  rowHeightPx: 64,
  headings: ['name'],
  cell: ({ name, companyName, certificateDaysLeft }) => (
    <span className={styles.compact}>
      <strong>{name}</strong>
      <span className={styles.muted}>{companyName}</span>
      <CertificateDays daysLeft={certificateDaysLeft} />
    </span>
  ),
};
