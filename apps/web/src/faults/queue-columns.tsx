import type { listFaults } from '@keepwatch/contract/faults/faults';
import type { FaultViewer } from '@keepwatch/contract/faults/viewers';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs';
import { reasonOf } from '../entities/faults/fault-texts.ts';
import { KindBadge } from '../entities/faults/kind-badge.tsx';
import { LastResults } from '../entities/faults/last-results.tsx';
import { useBackupClock } from '../kit/backup-clock.ts';
import type { Column } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import { formatDayTime } from '../kit/format/day-time.ts';
import { formatCount, formatRuns } from '../kit/format/numbers.ts';
import { useNow } from '../kit/use-now.ts';
import {
  CAUSE_WHY,
  groupTitle,
  hasRestorePoint,
  STATE_WORDS,
  sharedText,
  withoutFineHint,
  withoutFineText,
} from './fault-texts.ts';
import styles from './queue-columns.module.css';
import type { QueueRow } from './queue-row.ts';

export type QueueColumn = Column<QueueRow, SortOf<typeof listFaults>>;
export type Viewers = readonly FaultViewer[] | undefined;

interface ColumnOptions {
  viewers: Viewers;
  /** Shows each fault of a cause. */
  onUnfold: (row: QueueRow) => void;
}

interface SubjectProps {
  row: QueueRow;
  /** Without it a finger has more space: the line opens as a whole. */
  onUnfold?: (row: QueueRow) => void;
}

/** Columns that matter least leave first where the table is narrow. What is at fault and why gets what the others leave. */
export function queueColumns({ viewers, onUnfold }: ColumnOptions): readonly QueueColumn[] {
  return [
    {
      key: 'fault',
      title: 'Fault',
      width: 'minmax(150px, 29fr)',
      isWrapped: true,
      cell: (row) => <Subject row={row} onUnfold={onUnfold} />,
    },
    {
      key: 'kind',
      title: 'Now',
      width: '118px',
      isWrapped: true,
      cell: (row) => <Status row={row} viewers={viewers} />,
    },
    {
      key: 'without',
      title: 'Not fine for',
      hint: 'Since the last run that was fine. A click orders by it.',
      width: '132px',
      sort: 'fineAt',
      minTableWidthPx: 860,
      cell: (row) => <WithoutFine row={row} />,
    },
    {
      key: 'results',
      title: 'Last 14 runs',
      width: '158px',
      minTableWidthPx: 1_000,
      cell: ({ fault, group }) => (group === null ? <LastResults results={fault.lastResults} /> : null),
    },
    {
      key: 'runs',
      title: 'Failing',
      width: '116px',
      minTableWidthPx: 620,
      isWrapped: true,
      cell: (row) => <Runs row={row} />,
    },
    {
      key: 'reason',
      title: 'Reason',
      width: 'minmax(140px, 40fr)',
      isWrapped: true,
      minTableWidthPx: 700,
      cell: ({ fault }) => <Reason fault={fault} />,
    },
  ];
}

/** Which job of whom; of several faults what they have in common, and how many they are. */
export function Subject({ row: { fault, group }, onUnfold }: SubjectProps) {
  if (group === null) {
    return (
      <span className={styles.subject} title={`${fault.jobName}\n${fault.companyName ?? 'No company'}`}>
        <span className={styles.name}>{fault.jobName}</span>
        <span className={styles.muted}>{fault.companyName ?? 'No company'}</span>
      </span>
    );
  }
  const shared = sharedText(group.jobs, group.companies);
  return (
    <span className={styles.subject}>
      <span className={styles.name} title={groupTitle(group)}>
        {groupTitle(group)}
      </span>
      <span className={styles.muted}>
        {onUnfold === undefined ? (
          shared
        ) : (
          <button
            type="button"
            className={styles.unfold}
            tabIndex={-1}
            title={`Show each of the ${formatCount(group.faults)} faults (o). They are one line because of the ${CAUSE_WHY[group.why]}.`}
            onClick={() => onUnfold({ id: group.key, fault, group })}
          >
            {shared}
          </button>
        )}
        {` · ${CAUSE_WHY[group.why]}`}
      </span>
    </span>
  );
}

/** How the last run ended; below it who is on it. */
export function Status({ row, viewers }: { row: QueueRow; viewers: Viewers }) {
  const { fault, group } = row;
  const { timeZone } = useBackupClock();
  const viewer = viewerOf(row, viewers);
  const isSettled = fault.state === 'resolved' || fault.state === 'ignored';
  const who = fault.changedAt === null ? undefined : formatDateTime(fault.changedAt, timeZone);
  return (
    <span className={styles.status}>
      <KindBadge kind={group?.kind ?? fault.kind} isHealed={fault.state === 'healed'} />
      {viewer !== undefined ? (
        <span className={styles.viewer} title={`${viewer.username} has this open`}>
          <IconEye size={13} aria-hidden />
          <span className={styles.cut}>{viewer.username}</span>
          <span className="visually-hidden"> has this open</span>
        </span>
      ) : (
        <span className={styles.muted} title={who}>
          {group !== null && group.inProgress > 0 && `${formatCount(group.inProgress)} in progress`}
          {group === null && (fault.state === 'in-progress' || isSettled) && (
            <>
              {isSettled ? STATE_WORDS[fault.state] : 'In progress'}
              {fault.changedBy !== null && `, ${fault.changedBy}`}
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** Another user who has the fault open. */
export function viewerOf({ fault }: QueueRow, viewers: Viewers): FaultViewer | undefined {
  return viewers?.find(({ faultId, isSelf }) => !isSelf && faultId === fault._id);
}

/** Of several faults, which may be of several kinds, it says no more than that they are not fine. */
export function WithoutFine({ row: { fault, group } }: { row: QueueRow }) {
  const days = group === null ? fault.daysWithoutFine : group.daysWithoutFine;
  const text = withoutFineText(days);
  if (text === null || fault.state === 'healed') return null;
  const isLong = days === null || days >= 3;
  const isStored = group !== null || hasRestorePoint(fault);
  const meaning = !isStored ? ' without a good restore point' : days === null ? '' : ' not fine';
  return (
    <span className={styles.days} data-long={isLong || undefined} title={withoutFineHint(days, isStored)}>
      {group !== null && days !== null && 'up to '}
      {text}
      <span className="visually-hidden">{meaning}</span>
    </span>
  );
}

function Runs({ row: { fault, group } }: { row: QueueRow }) {
  const { timeZone } = useBackupClock();
  const at = group?.lastStartedAt ?? fault.lastStartedAt;
  const text = useNow((now) => formatDayTime(at, now, timeZone));
  return (
    <span className={styles.subject} title={`Last run ${formatDateTime(at, timeZone)}`}>
      <span>{formatRuns(group?.runs ?? fault.runs)}</span>
      <time className={styles.muted} dateTime={at}>
        {text}
      </time>
    </span>
  );
}

/** Characters of a message that two lines can show. */
const REASON_SHOWN = 400;

/** Why, in two lines: what is unusual in words, then what the source says. */
export function Reason({ fault }: { fault: QueueRow['fault'] }) {
  const reason = reasonOf(fault);
  const short = reason.slice(0, REASON_SHOWN);
  return (
    <span className={styles.reason} title={short} data-part="reason">
      {fault.note !== null && (
        <span className={styles.note} title={fault.note.slice(0, REASON_SHOWN)}>
          <IconNote size={14} role="img" aria-label="Has a note" />
        </span>
      )}
      {short}
    </span>
  );
}
