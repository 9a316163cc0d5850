import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { gappedPath, type Plot } from '../../kit/chart/chart-scale.ts';
import { formatRatio } from '../../kit/format/numbers.ts';
import styles from './history.module.css';
import { successRate } from './history-layers.ts';

/** Most rates are near 1, where a scale from 0 would show a flat line: it begins at the tenth below the lowest rate. */
export function rateFloor(rates: readonly (number | null)[]): number {
  const least = Math.min(...rates.map((rate) => rate ?? 1));
  return Math.min(0.9, Math.floor(least * 10) / 10);
}

interface RateLineProps {
  days: readonly DayCounts[];
  plot: Plot;
}

/** The success rate of each day, by an axis of its own at the right; days on which nothing ended are a gap. */
export function RateLine({ days, plot: { widthPx, heightPx } }: RateLineProps) {
  const rates = days.map(successRate);
  const floor = rateFloor(rates);
  const values = rates.map((rate) => (rate === null ? null : rate - floor));
  return (
    <svg className={styles.bars} width="100%" height={heightPx} aria-hidden>
      <path className={styles.rate} d={gappedPath(values, { widthPx, heightPx, top: 1 - floor })} />
    </svg>
  );
}

export function RateAxis({ days, heightPx }: { days: readonly DayCounts[]; heightPx: number }) {
  const floor = rateFloor(days.map(successRate));
  return (
    <div className={styles.rates} style={{ height: heightPx }} aria-hidden>
      {[floor, (floor + 1) / 2, 1].map((rate) => (
        <span key={rate} style={{ insetBlockEnd: `${((rate - floor) / (1 - floor)) * 100}%` }}>
          {formatRatio(rate).replace('.0', '')}
        </span>
      ))}
    </div>
  );
}
