import type { OverviewStats } from '@keepwatch/contract/monitoring/insight';
import { DailyChecksLink, STANDING } from '../kit/daily-checks-link.tsx';
import { formatCount } from '../kit/format/numbers.ts';
import type { Subject } from './dashboard-filters.ts';
import { LAYERS } from './history-layers.ts';
import styles from './overview-panel.module.css';

/** The jobs by their last result, as one bar and as figures that lead to such runs. */
export function LastResults({ stats, subject }: { stats: OverviewStats; subject: Subject }) {
  const { jobs } = subject;
  return (
    <div className={styles.results}>
      <span className={styles.label}>Jobs by last result</span>
      <div className={styles.proportions} aria-hidden>
        {LAYERS.map(({ key, color }) => (
          <span
            key={key}
            data-layer={key}
            style={{ flexGrow: stats[key], background: color }}
            hidden={stats[key] === 0}
          />
        ))}
        <span className={styles.never} style={{ flexGrow: stats.neverRan }} hidden={stats.neverRan === 0} />
      </div>
      <ul className={styles.words}>
        {LAYERS.map(({ key, result, word, color }) => (
          <li key={key}>
            <DailyChecksLink
              className={styles.result}
              filter={{
                company: jobs.companyIds ?? [],
                source: jobs.source ?? [],
                result: [result],
                ...STANDING,
              }}
            >
              <span className={styles.swatch} style={{ background: color }} aria-hidden />
              <strong>{formatCount(stats[key])}</strong> {word}
            </DailyChecksLink>
          </li>
        ))}
        <li className={styles.result}>
          <span className={styles.swatch} aria-hidden />
          <strong>{formatCount(stats.neverRan)}</strong> Never ran
        </li>
      </ul>
    </div>
  );
}
