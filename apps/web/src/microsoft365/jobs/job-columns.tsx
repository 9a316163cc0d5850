import type { listM365Jobs, Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column, CompactRows } from '../../kit/data-table/column.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import styles from '../microsoft365.module.css';
import { JobState } from './job-state.tsx';
import { jobSentence } from './job-words.ts';
import { StartStop } from './start-stop.tsx';

export const JOB_COLUMNS: readonly Column<Microsoft365Job, SortOf<typeof listM365Jobs>>[] = [
  {
    key: 'name',
    title: 'Job',
    width: 'minmax(150px, 1.4fr)',
    sort: 'name',
    isWrapped: true,
    cell: ({ name, description }) => <span title={description || name}>{name}</span>,
  },
  {
    key: 'organization',
    title: 'Organization',
    width: 'minmax(120px, 1fr)',
    sort: 'organizationName',
    isWrapped: true,
    minTableWidthPx: 820,
    cell: ({ organizationName, companyName }) => <span title={companyName}>{organizationName}</span>,
  },
  {
    key: 'sentence',
    title: 'What it does',
    width: 'minmax(200px, 3fr)',
    isWrapped: true,
    minTableWidthPx: 620,
    cell: (job) => <span title={jobSentence(job)}>{jobSentence(job)}</span>,
  },
  {
    key: 'state',
    title: 'State',
    width: 'minmax(150px, 1.2fr)',
    sort: 'lastRun',
    cell: (job) => <JobState job={job} />,
  },
  {
    key: 'next',
    title: 'Next run',
    width: '150px',
    sort: 'nextRun',
    minTableWidthPx: 1_100,
    cell: ({ nextRun, isEnabled }) => (isEnabled ? formatDateTime(nextRun) : '–'),
  },
  { key: 'action', title: '', width: '84px', cell: (job) => <StartStop job={job} /> },
];

/** On a phone: what it does below its name. */
export const COMPACT_JOBS: CompactRows<Microsoft365Job> = {
  belowPx: 560,
  rowHeightPx: 84,
  headings: ['name'],
  cell: (job) => (
    <span className={styles.compact}>
      <strong>{job.name}</strong>
      <span className={styles.muted}>{jobSentence(job)}</span>
      <JobState job={job} />
    </span>
  ),
};
