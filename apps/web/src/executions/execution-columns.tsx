import type { JobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Icon } from '@tabler/icons-react';
import IconBrandOffice from '@tabler/icons-react/dist/esm/icons/IconBrandOffice.mjs';
import IconCloud from '@tabler/icons-react/dist/esm/icons/IconCloud.mjs';
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs';
import IconDeviceDesktopAnalytics from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktopAnalytics.mjs';
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs';
import IconServer from '@tabler/icons-react/dist/esm/icons/IconServer.mjs';
import { ResultBadge } from '../entities/result-badge.tsx';
import { SOURCE_GROUP_WORDS } from '../entities/source-groups.ts';
import { StateBadge } from '../entities/state-badge.tsx';
import { useBackupClock } from '../kit/backup-clock.ts';
import type { Column } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import { formatDayTime } from '../kit/format/day-time.ts';
import { formatBytes } from '../kit/format/numbers.ts';
import { zoneWord } from '../kit/format/zones.ts';
import { useNow } from '../kit/use-now.ts';
import { changedBy, changedText } from './edits/changed-by.ts';
import styles from './execution-columns.module.css';
import { type Filters, hasOneState } from './filters.ts';
import { ExecutionReason, reasonText } from './run/execution-reason.tsx';
import { RunDuration } from './run/run-duration.tsx';

const SOURCE_ICONS: Readonly<Record<DataSourceGroup, Icon>> = {
  'managed-servers': IconServer,
  'monitored-agents': IconDeviceDesktopAnalytics,
  'managed-agents': IconDeviceDesktop,
  office365: IconBrandOffice,
  'public-cloud-vms': IconCloud,
  'file-share-jobs': IconFolders,
};

type ExecutionColumn = Column<JobExecution, SortOf<typeof listJobExecutions>>;

/** From this width on the source has its own column; below it, its symbol is before the company. */
const WIDE_PX = 1_440;
/** A little less than a screen of 1,440 px leaves beside the pinned sidebar: there every run's figures can be compared. */
const WITH_SIDEBAR_PX = 1_220;

/**
 * Columns that matter least leave first where the table is narrow; a phone has rows of two lines. Columns of a
 * known length are as wide as their longest text in the widest usual font (DejaVu Sans), and the rest goes to company, job
 * and message, which people read most.
 */
export const EXECUTION_COLUMNS: readonly ExecutionColumn[] = [
  {
    key: 'source',
    title: 'Source',
    width: '156px',
    minTableWidthPx: WIDE_PX,
    cell: (run) => <RunSource run={run} />,
  },
  {
    key: 'company',
    title: 'Company',
    width: 'minmax(104px, 15fr)',
    sort: 'companyName',
    isWrapped: true,
    cell: (run) => (
      <span className={styles.company} title={run.companyName ?? undefined}>
        <SourceSymbol run={run} />
        {run.companyName ?? '–'}
      </span>
    ),
  },
  {
    key: 'job',
    title: 'Job',
    width: 'minmax(110px, 18fr)',
    sort: 'jobName',
    isWrapped: true,
    cell: (run) => <JobName run={run} />,
  },
  {
    key: 'result',
    title: 'Result',
    width: '102px',
    sort: 'result',
    cell: ({ result }) => <ResultBadge result={result} />,
  },
  {
    key: 'state',
    title: 'State',
    width: '110px',
    sort: 'state',
    minTableWidthPx: 880,
    isWrapped: true,
    cell: (run) => <State run={run} />,
  },
  {
    key: 'started',
    title: 'Started',
    width: '120px',
    sort: 'startedAt',
    minTableWidthPx: 540,
    cell: (run) => <Started run={run} />,
  },
  {
    key: 'duration',
    title: 'Duration',
    width: '112px',
    align: 'end',
    sort: 'durationMs',
    minTableWidthPx: 1_000,
    cell: (run) => <RunDuration run={run} />,
  },
  {
    key: 'transferred',
    title: 'Transferred',
    width: '116px',
    align: 'end',
    sort: 'transferredBytes',
    minTableWidthPx: WITH_SIDEBAR_PX,
    cell: ({ transferredBytes }) => formatBytes(transferredBytes),
  },
  {
    key: 'message',
    title: 'Message',
    width: 'minmax(120px, 26fr)',
    minTableWidthPx: 700,
    isWrapped: true,
    cell: (run) => (
      <span className={styles.muted} title={reasonText(run)}>
        <ExecutionReason run={run} />
      </span>
    ),
  },
];

/** While one state is chosen, its column would be the same in every row: the message gets its width. */
const COLUMNS_OF_PENDING = EXECUTION_COLUMNS.filter(({ key }) => key !== 'state').map((column) =>
  column.key === 'message' ? { ...column, width: 'minmax(120px, 38fr)' } : column,
);

/** Of a state that people give, the column says who gave it. */
const COLUMNS_OF_ONE_STATE = EXECUTION_COLUMNS.map((column) =>
  column.key === 'state' ? { ...column, title: 'By', cell: (run: JobExecution) => <By run={run} /> } : column,
);

/** The columns for what the filters leave, with the time zone of the times in their title. */
export function executionColumns(filters: Filters, timeZone: string): readonly ExecutionColumn[] {
  return columnsFor(filters).map((column) =>
    column.key === 'started' ? { ...column, title: `Started (${zoneWord(timeZone)})`, hint: timeZone } : column,
  );
}

function columnsFor(filters: Filters): readonly ExecutionColumn[] {
  if (!hasOneState(filters)) return EXECUTION_COLUMNS;
  return filters.state === 'pending' ? COLUMNS_OF_PENDING : COLUMNS_OF_ONE_STATE;
}

function State({ run }: { run: JobExecution }) {
  return (
    <span className={styles.state}>
      <StateBadge state={run.state} />
      <By run={run} />
    </span>
  );
}

function By({ run }: { run: JobExecution }) {
  const { timeZone } = useBackupClock();
  const name = changedBy(run);
  if (name === null) return null;
  return (
    <span className={styles.by} title={changedText(run, timeZone) ?? undefined}>
      {name}
    </span>
  );
}

function Started({ run: { startedAt, result } }: { run: JobExecution }) {
  const { timeZone } = useBackupClock();
  const text = useNow((now) => formatDayTime(startedAt, now, timeZone));
  const whole = formatDateTime(startedAt, timeZone);
  return (
    <time dateTime={startedAt} title={result === 'DidntRun' ? `Expected ${whole}` : whole}>
      {text}
    </time>
  );
}

/** The name of a job and, of one that a tool reports, the tool. */
function JobName({ run: { jobName, tool } }: { run: JobExecution }) {
  return (
    <span title={jobName}>
      {jobName}
      {tool !== null && <span className={styles.tool}>{tool}</span>}
    </span>
  );
}

type SourceOfRun = Pick<JobExecution, 'sourceGroup' | 'tool'>;

/** The tool by name, or the group of what a console reports. */
export function sourceWord({ sourceGroup, tool }: SourceOfRun): string {
  return tool ?? SOURCE_GROUP_WORDS[sourceGroup];
}

export function RunSource({ run }: { run: SourceOfRun }) {
  const GroupIcon = SOURCE_ICONS[run.sourceGroup];
  return (
    <span className={styles.source}>
      <GroupIcon size={15} stroke={1.6} aria-hidden />
      {sourceWord(run)}
    </span>
  );
}

/** The source's symbol alone, if its word does not fit. The word is there for screen readers and as a hint. */
function SourceSymbol({ run }: { run: SourceOfRun }) {
  const GroupIcon = SOURCE_ICONS[run.sourceGroup];
  const word = sourceWord(run);
  return (
    <span className={styles.symbol} role="img" aria-label={word} title={word}>
      <GroupIcon size={14} stroke={1.6} aria-hidden />
    </span>
  );
}
