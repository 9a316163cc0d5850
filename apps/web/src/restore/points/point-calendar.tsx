import type { RestorePoint } from '@keepwatch/contract/restore/sessions';
import { ActionIcon } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useState } from 'react';
import { formatTimeOfDay } from '../../kit/format/dates.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { completeness } from './completeness.ts';
import { dayKey, type Month, monthAfter, monthOf, weeksOf } from './month.ts';
import styles from './point-calendar.module.css';
import { useMonthPoints } from './points.data.ts';

interface PointCalendarProps {
  organizationId: string;
  /** Which points the explorer can show. */
  has: (point: RestorePoint) => boolean;
  /** When the chosen one was made. */
  chosen: string;
  onChoose: (point: RestorePoint) => void;
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' });
const dayName = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' });
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Days with restore points, and whether they are complete; the points of a day with their times. */
export function PointCalendar({ organizationId, has, chosen, onChoose }: PointCalendarProps) {
  const [month, setMonth] = useState<Month>(() => monthOf(new Date(chosen)));
  const [day, setDay] = useState(() => dayKey(new Date(chosen)));
  const { data, error, refetch, isPending } = useMonthPoints(organizationId, month);
  const points = (data ?? []).filter(has);
  const ofDay = points.filter(({ backupTime }) => dayKey(new Date(backupTime)) === day);
  const open = (date: Date, found: readonly RestorePoint[]) => {
    setDay(dayKey(date));
    const [only] = found;
    if (found.length === 1 && only !== undefined) onChoose(only);
  };
  return (
    <div className={styles.calendar} aria-busy={isPending}>
      <div className={styles.head}>
        <ActionIcon variant="subtle" aria-label="Previous month" onClick={() => setMonth(monthAfter(month, -1))}>
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <h3 aria-live="polite">{monthName.format(new Date(month.year, month.month, 1))}</h3>
        <ActionIcon variant="subtle" aria-label="Next month" onClick={() => setMonth(monthAfter(month, 1))}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </div>
      {error !== null && data === undefined ? (
        <ErrorState what="the restore points" error={error} onRetry={() => void refetch()} />
      ) : (
        <Weeks month={month} points={points} day={day} onOpen={open} />
      )}
      <p className={styles.legend}>
        <span className={styles.mark} data-complete /> complete <span className={styles.mark} /> partial
      </p>
      {ofDay.length > 0 && (
        <ul className={styles.times} aria-label="Restore points of the day">
          {ofDay.map((point) => (
            <li key={point.id}>
              <button
                type="button"
                aria-current={point.backupTime === chosen ? 'true' : undefined}
                onClick={() => onChoose(point)}
              >
                {formatTimeOfDay(new Date(point.backupTime))} · {point.jobName} · {completeness(point)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface WeeksProps {
  month: Month;
  points: readonly RestorePoint[];
  day: string;
  onOpen: (date: Date, points: readonly RestorePoint[]) => void;
}

function Weeks({ month, points, day, onOpen }: WeeksProps) {
  return (
    <table className={styles.weeks}>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: weeks have no other name than their place
          <tr key={row}>
            {week.map((date, weekday) => (
              <td key={WEEKDAYS[weekday]}>
                {date !== null && <Day date={date} points={points} day={day} onOpen={onOpen} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ date, points, day, onOpen }: Omit<WeeksProps, 'month'> & { date: Date }) {
  const found = points.filter(({ backupTime }) => dayKey(new Date(backupTime)) === dayKey(date));
  if (found.length === 0) return <span className={styles.none}>{date.getDate()}</span>;
  const isComplete = found.some(({ isPartial }) => !isPartial);
  const count = formatCounted(found.length, 'restore point', 'restore points');
  return (
    <button
      type="button"
      className={styles.day}
      aria-label={`${dayName.format(date)}: ${count}, ${isComplete ? 'complete' : 'partial'}`}
      aria-pressed={day === dayKey(date)}
      onClick={() => onOpen(date, found)}
    >
      {date.getDate()}
      <span className={styles.mark} data-complete={isComplete || undefined} aria-hidden />
    </button>
  );
}
