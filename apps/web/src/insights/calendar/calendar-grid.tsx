// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
import type { CalendarRow as Job } from '@keepwatch/contract/insights/calendar';
import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useRef } from 'react';
import type { MonthDay } from '../../entities/calendar/month.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { styleVariables } from '../../kit/style-variables.ts';
import type { CalendarQuery } from './calendar.data.ts';
import styles from './calendar-grid.module.css';
import { CalendarHead } from './calendar-head.tsx';
import { CalendarRow } from './calendar-row.tsx';
import { CalendarTip } from './calendar-tip.tsx';
import { placeOfCell } from './cell-place.ts';
import { type Place, placeAfterKey } from './grid-keys.ts';
import { useActive, useActiveInView, useTodayInView, useTopWhenChanged } from './grid-view.ts';

interface CalendarGridProps {
  query: CalendarQuery;
  days: readonly MonthDay[];
  pages: Pages<Job>;
  /** None while they are being read. */
  totals: { jobs: number; days: readonly DayCounts[] } | undefined;
  /** Rows with two lines, for narrow screens. */
  isNarrow: boolean;
  onSort: (sort: CalendarQuery['sort']) => void;
  /** A cell was clicked, or Enter pressed on it. */
  onOpen: (job: Job, day: MonthDay, letter: string | undefined) => void;
}

const ROW_PX = 28;
const NARROW_ROW_PX = 42;
/** As high as the head in calendar-grid.module.css: two rows and their lines. */
const HEAD_PX = 80;
const ROWS_BEYOND = 10;
/** Shown while the number of jobs is not known. */
const SKELETON_ROWS = 40;
const PAGE_KEY_ROWS = 15;

/** Jobs by days. Only the rows on screen are on the page, however many jobs there are. */
export function CalendarGrid(props: CalendarGridProps) {
  const { query, days, pages, isNarrow, onOpen } = props;
  const id = useId();
  const gridRef = useRef<HTMLDivElement>(null);
  const count = pages.count ?? SKELETON_ROWS;
  const rowPx = isNarrow ? NARROW_ROW_PX : ROW_PX;
  const rows = useRows(gridRef, count, rowPx, pages);
  // Another month of the same jobs keeps the place; other jobs begin at the top.
  const jobsKey = JSON.stringify([query.filter, query.sort]);
  const [active, setActive] = useActive(jobsKey);
  useTopWhenChanged(gridRef, jobsKey);
  const activeId = `${id}-active`;
  const open = (place: Place | null) => {
    const job = place === null ? undefined : pages.rowAt(place.row);
    const day = place === null ? undefined : days[place.column];
    if (place !== null && job !== undefined && day !== undefined && !pages.isStale)
      onOpen(job, day, job.cells[place.column]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.target !== event.currentTarget) return;
    if (event.key === 'Enter') return open(active);
    const size = { rows: pages.count ?? 0, columns: days.length, pageRows: PAGE_KEY_ROWS };
    const place = placeAfterKey(active, event, size);
    if (place === null) return;
    event.preventDefault();
    setActive(place);
    rows.scrollToIndex(place.row);
  };
  const onClick = (event: MouseEvent) => {
    const place = placeOfCell(event.target instanceof Element ? event.target.closest('[role="gridcell"]') : null);
    if (place === null) return;
    setActive(place);
    open(place);
  };
  useActiveInView(gridRef, active);
  useTodayInView(gridRef, query.month);
  return (
    <>
      <div
        ref={gridRef}
        className={styles.grid}
        style={styleVariables({ '--days': days.length, '--row': `${rowPx}px` })}
        role="grid"
        tabIndex={0}
        aria-label="Calendar of jobs"
        aria-rowcount={count + 2}
        aria-colcount={days.length + 1}
        aria-busy={pages.count === null || pages.isStale}
        aria-activedescendant={active === null ? undefined : activeId}
        data-narrow={isNarrow || undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <CalendarHead {...props} />
        <CalendarBody {...props} rows={rows} active={active} activeId={activeId} />
      </div>
      <CalendarTip gridRef={gridRef} pages={pages} days={days} active={active} />
    </>
  );
}

interface CalendarBodyProps extends Pick<CalendarGridProps, 'query' | 'days' | 'pages'> {
  rows: ReturnType<typeof useRows>;
  active: Place | null;
  activeId: string;
}

function CalendarBody({ query, days, pages, rows, active, activeId }: CalendarBodyProps) {
  const items = rows.getVirtualItems();
  const slots = useLargest(items.length);
  return (
    <div className={styles.body} role="rowgroup" style={{ height: rows.getTotalSize() }}>
      <Stripes days={days} />
      {items.map(({ index, start }) => {
        const job = pages.rowAt(index);
        return (
          <CalendarRow
            // A row that leaves at one end is used again at the other: few of its cells differ.
            key={index % slots}
            index={index}
            topPx={start - HEAD_PX}
            job={job}
            days={days.length}
            isStale={pages.isStale}
            isFirstOfCompany={isFirstOfCompany(query, pages, index)}
            activeColumn={active?.row === index ? active.column : null}
            activeId={activeId}
          />
        );
      })}
    </div>
  );
}

/** The largest number so far. */
function useLargest(value: number): number {
  const largest = useRef(1);
  largest.current = Math.max(largest.current, value);
  return largest.current;
}

/** The shade of weekends and of today, once for all rows. */
function Stripes({ days }: { days: readonly MonthDay[] }) {
  return (
    <div className={styles.stripes} aria-hidden>
      <span className={styles.stripeOfJobs} />
      {days.map((day) => (
        <span
          key={day.day}
          className={styles.stripe}
          data-weekend={day.isWeekend || undefined}
          data-today={day.isToday || undefined}
        />
      ))}
    </div>
  );
}

function isFirstOfCompany({ sort }: CalendarQuery, pages: Pages<Job>, index: number): boolean {
  if (sort !== 'companyName' || index === 0) return true;
  return pages.rowAt(index)?.companyId !== pages.rowAt(index - 1)?.companyId;
}

function useRows(gridRef: RefObject<HTMLDivElement | null>, count: number, rowPx: number, pages: Pages<Job>) {
  const rows = useVirtualizer({
    count,
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowPx,
    overscan: ROWS_BEYOND,
    // The head is above the first row and covers what is under it.
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when the row height changes
  useEffect(() => rows.measure(), [rowPx]);
  const items = rows.getVirtualItems();
  const { show } = pages;
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => show(first, last), [show, first, last]);
  return rows;
}
