import type { OverviewStats } from '@keepwatch/contract/insights/insights';
import { STATUS } from '../../entities/daily-checks.ts';
import { companies, dailyChecks } from '../../entities/places.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { LAYERS, type Layer } from '../history/history-layers.ts';
import type { Subject } from './dashboard-filters.ts';
import { FigureButton } from './figure-button.tsx';
import styles from './overview-panel.module.css';

/** By which figure the companies are ordered for those who may not see runs. */
const ORDER_OF = {
  failed: 'failed',
  didntRun: 'didntRun',
  warning: 'warning',
  running: 'jobs',
  success: 'jobs',
} as const satisfies Record<Layer['key'], string>;

/** The jobs by their latest result, as one bar and as figures that link to such runs. */
export function LastResults({ stats, subject }: { stats: OverviewStats; subject: Subject }) {
  const { jobs } = subject;
  return (
    <div className={styles.results}>
      <span className={styles.label}>Jobs by latest result</span>
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
            <ScreenLink
              className={styles.result}
              to={dailyChecks.at({
                company: jobs.companyIds ?? [],
                source: jobs.source ?? [],
                result: [result],
                ...STATUS,
              })}
              otherwise={companies.at({ sort: `-${ORDER_OF[key]}` })}
            >
              <span className={styles.swatch} style={{ background: color }} aria-hidden />
              <strong>{formatCount(stats[key])}</strong> {word}
            </ScreenLink>
          </li>
        ))}
        <li>
          <FigureButton className={styles.result} figure="never-ran" subject={subject}>
            <span className={styles.swatch} aria-hidden />
            <strong>{formatCount(stats.neverRan)}</strong> Never run
          </FigureButton>
        </li>
      </ul>
    </div>
  );
}
