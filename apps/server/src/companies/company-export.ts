import type { BackupClock } from '@keepwatch/contract/backup-days/backup-day';
import type { CompanyRow } from '@keepwatch/contract/companies/companies';
import { zonedColumn } from '../backup-days/zoned-column.ts';
import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';

/** What the file has of a company. */
export const companyCsv = ({ timeZone }: BackupClock): CsvColumn<CompanyRow>[] => [
  { key: 'name', header: 'Company' },
  { key: 'email', header: 'E-mail' },
  { key: 'phone', header: 'Phone' },
  { key: 'serviceProvider', header: 'Provider' },
  { key: 'isActive', header: 'Active' },
  { key: 'isManaged', header: 'Managed' },
  { key: 'jobs', header: 'Jobs' },
  { key: 'disabledJobs', header: 'Disabled jobs' },
  { key: 'failed', header: 'Failed' },
  { key: 'warning', header: 'Warning' },
  { key: 'didntRun', header: "Didn't run" },
  { key: 'pending', header: 'Pending (30 days)' },
  zonedColumn(timeZone, 'Last run', ({ lastRunAt }) => lastRunAt),
  { key: 'backupSizeBytes', header: 'Size (bytes)' },
  // The last one, so that programs which read the file find the others where they were.
  { key: 'doubtful', header: 'Doubtful' },
];
