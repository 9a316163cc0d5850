import type { CalendarRow } from '@keepwatch/contract/insights/calendar';
import { type RefObject, useEffect, useState } from 'react';
import { hasRuns, lookOf, wordOf } from '../../entities/calendar/cell.ts';
import type { MonthDay } from '../../entities/calendar/month.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { formatDay } from '../../kit/format/dates.ts';
import styles from './calendar-tip.module.css';
import { placeOfCell } from './cell-place.ts';
import type { Place } from './grid-keys.ts';

interface CalendarTipProps {
  gridRef: RefObject<HTMLDivElement | null>;
  pages: Pages<CalendarRow>;
  days: readonly MonthDay[];
  /** The cell that the keyboard is at. */
  active: Place | null;
}

interface Shown extends Place {
  /** Of the cell, in the window. */
  box: DOMRect;
}

/** Day, job and result of the cell under the pointer or the keyboard. Its own component, so that no row is drawn for it. */
export function CalendarTip({ gridRef, pages, days, active }: CalendarTipProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const grid = gridRef.current;
    if (grid === null) return;
    const show = (event: PointerEvent) => setShown(event.pointerType === 'touch' ? null : shownAt(event.target));
    const hide = () => setShown(null);
    grid.addEventListener('pointerover', show);
    grid.addEventListener('pointerleave', hide);
    grid.addEventListener('scroll', hide, { passive: true });
    return () => {
      grid.removeEventListener('pointerover', show);
      grid.removeEventListener('pointerleave', hide);
      grid.removeEventListener('scroll', hide);
    };
  }, [gridRef]);
  useEffect(() => {
    if (active === null) return setShown(null);
    // The grid may still be scrolling to the cell; the tip comes when it is there.
    const frame = requestAnimationFrame(() =>
      setShown(shownAt(gridRef.current?.querySelector('[data-active]') ?? null)),
    );
    return () => cancelAnimationFrame(frame);
  }, [active, gridRef]);
  const job = shown === null ? undefined : pages.rowAt(shown.row);
  const day = shown === null ? undefined : days[shown.column];
  if (shown === null || job === undefined || day === undefined || pages.isStale) return null;
  const letter = job.cells[shown.column];
  return (
    <div className={styles.tip} style={placeOver(shown.box)} aria-hidden>
      <strong className={styles.result} data-kind={lookOf(letter).kind}>
        {wordOf(lookOf(letter), job.sharedBy !== null)}
      </strong>
      <span>{`${day.weekday.slice(0, 3)} ${formatDay(day.day)}`}</span>
      <span className={styles.job}>{`${job.jobName} · ${job.companyName ?? 'No company'}`}</span>
      {hasRuns(letter) && <span className={styles.hint}>Click or press Enter to open</span>}
    </div>
  );
}

function shownAt(target: EventTarget | null): Shown | null {
  const cell = target instanceof Element ? target.closest('[data-kind][role="gridcell"]') : null;
  const place = placeOfCell(cell);
  return cell === null || place === null ? null : { ...place, box: cell.getBoundingClientRect() };
}

const WIDTH_PX = 260;
const HEIGHT_PX = 104;
const GAP_PX = 6;

function placeOver(box: DOMRect) {
  const left = Math.max(8, Math.min(box.left + box.width / 2 - WIDTH_PX / 2, window.innerWidth - WIDTH_PX - 8));
  const isLow = box.bottom + HEIGHT_PX > window.innerHeight;
  return isLow
    ? { left, width: WIDTH_PX, bottom: window.innerHeight - box.top + GAP_PX }
    : { left, width: WIDTH_PX, top: box.bottom + GAP_PX };
}
