import type { CompanyRow } from '@keepwatch/contract/companies/companies';
import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';

/** What the file has of a company. */
export const COMPANY_CSV: readonly CsvColumn<CompanyRow>[] = [
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
  { key: 'lastRunAt', header: 'Last run (UTC)' },
  { key: 'backupSizeBytes', header: 'Size (bytes)' },
];
