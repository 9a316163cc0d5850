// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell (aria-activedescendant)
import type { DayCounts } from '@keepwatch/contract/monitoring/insight';
import { formatCount } from '../kit/format/numbers.ts';
import styles from './calendar-grid.module.css';

const BAR_HEIGHT_PX = 30;

const LAYERS = [
  { kind: 'failed', field: 'failed', word: 'failed' },
  { kind: 'didnt-run', field: 'didntRun', word: "didn't run" },
  { kind: 'warning', field: 'warning', word: 'with a warning' },
  { kind: 'running', field: 'running', word: 'running' },
  { kind: 'success', field: 'success', word: 'successful' },
] as const satisfies readonly { field: keyof DayCounts; kind: string; word: string }[];

/** One day's runs as a small stack: trouble at the foot, where all days can be compared. */
export function DayTotals({ counts, runsMax }: { counts: DayCounts | undefined; runsMax: number }) {
  const text = counts === undefined ? '' : textOf(counts);
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
    </div>
  );
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
