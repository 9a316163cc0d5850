// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell (aria-activedescendant)
import type { DayCounts } from '@keepwatch/contract/insights/insights';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import type { KeyboardEvent } from 'react';
import { formatMonth, type MonthDay } from '../../entities/calendar/month.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import type { CalendarQuery } from './calendar.data.ts';
import styles from './calendar-grid.module.css';
import { DayTotals, hasAny } from './day-totals.tsx';

type Sort = CalendarQuery['sort'];

interface CalendarHeadProps {
  days: readonly MonthDay[];
  totals: { jobs: number; days: readonly DayCounts[] } | undefined;
  query: CalendarQuery;
  onSort: (sort: Sort) => void;
}

/** The days, and under each what happened on it in all jobs together. Both stay at the top. */
export function CalendarHead({ days, totals, query, onSort }: CalendarHeadProps) {
  const runsMax = Math.max(1, ...(totals?.days ?? []).map(runsOf));
  const lastDay = totals?.days.findLast(hasAny)?.day;
  return (
    <div className={styles.head} role="rowgroup">
      <div className={styles.headRow} role="row" aria-rowindex={1}>
        <div className={styles.corner} role="columnheader" aria-sort="ascending">
          <SortButton word="Company" sort="companyName" current={query.sort} onSort={onSort} />
          <SortButton word="Job" sort="jobName" current={query.sort} onSort={onSort} />
        </div>
        {days.map((day) => (
          <DayHeading key={day.day} day={day} />
        ))}
      </div>
      <div className={styles.headRow} role="row" aria-rowindex={2} onKeyDown={moveBetweenDays}>
        <div className={styles.corner} role="rowheader">
          <span className={styles.totalsLabel}>
            {totals === undefined ? formatMonth(query.month) : `All jobs (${formatCount(totals.jobs)})`}
          </span>
        </div>
        {days.map((day) => (
          <DayTotals
            key={day.day}
            counts={totals?.days.find((counts) => counts.day === day.day)}
            runsMax={runsMax}
            filter={query.filter}
            isTabStop={day.day === lastDay}
          />
        ))}
      </div>
    </div>
  );
}

/** From the link of one day to that of the day before or after. */
function moveBetweenDays(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  const links: EventTarget[] = [...event.currentTarget.querySelectorAll('a[data-day]')];
  const place = links.indexOf(event.target);
  const next = links[place + step];
  if (step === 0 || place < 0 || !(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

function DayHeading({ day }: { day: MonthDay }) {
  return (
    <div
      className={styles.day}
      role="columnheader"
      aria-label={`${day.weekday} ${day.number}${day.isToday ? ', today' : ''}`}
      aria-current={day.isToday ? 'date' : undefined}
      data-weekend={day.isWeekend || undefined}
      data-future={day.isFuture || undefined}
    >
      <span className={styles.weekday}>{day.weekday.slice(0, 1)}</span>
      <span className={styles.number}>{day.number}</span>
    </div>
  );
}

function SortButton({
  word,
  sort,
  current,
  onSort,
}: {
  word: string;
  sort: Sort;
  current: Sort;
  onSort: (sort: Sort) => void;
}) {
  const isOn = sort === current;
  return (
    <button
      type="button"
      className={styles.sort}
      aria-pressed={isOn}
      aria-label={`Order by ${word.toLowerCase()}`}
      onClick={() => onSort(sort)}
    >
      {word}
      <IconArrowUp size={13} aria-hidden className={styles.arrow} data-hidden={!isOn || undefined} />
    </button>
  );
}

function runsOf({ success, warning, failed, running, didntRun }: DayCounts): number {
  return success + warning + failed + running + didntRun;
}
