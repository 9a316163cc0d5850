// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell (aria-activedescendant)
import type { DayCounts } from '@keepwatch/contract/insights/insights';
import type { Result } from '@keepwatch/contract/runs/values';
import { memo } from 'react';
import { dailyChecks } from '../../entities/places.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import type { CalendarQuery } from './calendar.data.ts';
import styles from './calendar-grid.module.css';

const BAR_HEIGHT_PX = 30;

/** High enough for a pointer. */
const PART_LEAST_PX = 6;

const LAYERS = [
  { kind: 'failed', field: 'failed', result: 'Failed', word: 'failed' },
  { kind: 'didnt-run', field: 'didntRun', result: 'DidntRun', word: "didn't run" },
  { kind: 'warning', field: 'warning', result: 'Warning', word: 'with a warning' },
  { kind: 'running', field: 'running', result: 'Running', word: 'running' },
  { kind: 'success', field: 'success', result: 'Success', word: 'successful' },
] as const satisfies readonly { field: keyof DayCounts; kind: string; result: Result; word: string }[];

interface DayTotalsProps {
  counts: DayCounts | undefined;
  runsMax: number;
  filter: CalendarQuery['filter'];
  /** Reached by Tab; the others by the arrow keys from there. */
  isTabStop: boolean;
}

/**
 * One day's runs as a small stack: trouble at the foot, where all days can be compared. It links to its runs. Drawn again only when they changed: a
 * turn of the wheel draws the grid, and hundreds of links take as long as its rows.
 */
export const DayTotals = memo(function DayTotals({ counts, runsMax, filter, isTabStop }: DayTotalsProps) {
  const mayOpen = useMayOpen(dailyChecks);
  const text = counts === undefined ? '' : textOf(counts);
  // The daily checks search in messages, too: with a search they would show other runs than the bar counts.
  const hasLinks = mayOpen && filter.search === undefined && counts !== undefined && hasAny(counts);
  return (
    <div className={styles.totals} role="gridcell" aria-label={text} title={text}>
      {counts !== undefined &&
        LAYERS.map(({ kind, field }) => (
          <span
            key={kind}
            className={styles.layer}
            data-kind={kind}
            style={{ height: heightOf(counts[field], runsMax) }}
          />
        ))}
      {hasLinks && <DayLinks counts={counts} runsMax={runsMax} filter={filter} isTabStop={isTabStop} />}
    </div>
  );
});

function DayLinks({ counts, runsMax, filter, isTabStop }: DayTotalsProps & { counts: DayCounts }) {
  const runsOf = (result: readonly Result[]) => {
    const { companyIds: company = [], source = [] } = filter;
    return dailyChecks.at({ day: counts.day, company, source, result, state: 'all', ignored: true });
  };
  return (
    <>
      <ScreenLink
        className={styles.dayLink}
        data-day={counts.day}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={`Show all runs of ${counts.day}: ${textOf(counts)}`}
        to={runsOf([])}
      />
      <span className={styles.parts}>
        {LAYERS.filter(({ field }) => counts[field] > 0).map(({ kind, field, result, word }) => (
          <ScreenLink
            key={kind}
            className={styles.part}
            style={{ height: Math.max(PART_LEAST_PX, heightOf(counts[field], runsMax)) }}
            tabIndex={-1}
            aria-label={`Show ${formatCount(counts[field])} ${word} of ${counts.day}`}
            title={`Show ${formatCount(counts[field])} ${word}`}
            to={runsOf([result])}
          />
        ))}
      </span>
    </>
  );
}

/** Whether there is anything to open on that day. */
export function hasAny(counts: DayCounts): boolean {
  return LAYERS.some(({ field }) => counts[field] > 0);
}

/** A single run among thousands is still seen: whatever is not zero has a pixel and a half. */
export function heightOf(runs: number, runsMax: number): number {
  return runs === 0 ? 0 : Math.max(1.5, (runs / runsMax) * BAR_HEIGHT_PX);
}

/** `3 failed, 120 successful`; `No runs`. */
export function textOf(counts: DayCounts): string {
  const parts = LAYERS.filter(({ field }) => counts[field] > 0).map(
    ({ field, word }) => `${formatCount(counts[field])} ${word}`,
  );
  return parts.length === 0 ? 'No runs' : parts.join(', ');
}
