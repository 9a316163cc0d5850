import { LastResults } from '../entities/faults/last-results.tsx';
import { useBackupClock } from '../kit/backup-clock.ts';
import type { CompactRows } from '../kit/data-table/column.ts';
import { formatDayTime } from '../kit/format/day-time.ts';
import { useNow } from '../kit/use-now.ts';
import styles from './compact-row.module.css';
import { Reason, Status, Subject, type Viewers, WithoutFine } from './queue-columns.tsx';
import type { QueueRow } from './queue-row.ts';

interface Options {
  viewers: Viewers;
}

/** A line on a phone: what and when; how it is and for how long; and two lines for why. */
export function compactRows(options: Options): CompactRows<QueueRow> {
  return { belowPx: 620, rowHeightPx: 128, headings: [], cell: (row) => <CompactRow row={row} {...options} /> };
}

function CompactRow({ row, viewers }: Options & { row: QueueRow }) {
  const { fault, group } = row;
  const { timeZone } = useBackupClock();
  const at = group?.lastStartedAt ?? fault.lastStartedAt;
  const text = useNow((now) => formatDayTime(at, now, timeZone));
  return (
    <div className={styles.lines}>
      <div className={styles.line}>
        <Subject row={row} />
        <time className={styles.time} dateTime={at}>
          {text}
        </time>
      </div>
      <div className={styles.line}>
        <Status row={row} viewers={viewers} />
        <WithoutFine row={row} />
        {group === null && <LastResults results={fault.lastResults} />}
      </div>
      <div className={styles.reason}>
        <Reason fault={fault} />
      </div>
    </div>
  );
}
