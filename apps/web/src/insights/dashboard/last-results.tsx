import type { OverviewStats } from '@keepwatch/contract/insights/insights';
import { STATUS } from '../../entities/daily-checks.ts';
import { companies, dailyChecks } from '../../entities/places.ts';
import { type Proportion, Proportions } from '../../kit/dashboard/proportions.tsx';
import { FigureButton } from '../../kit/figures/figure-button.tsx';
import { LAYERS, type ResultLayer } from '../history/history-layers.ts';
import type { Subject } from './dashboard-filters.ts';
import { FigureList } from './figure-list.ts';
import styles from './overview-panel.module.css';

/** By which figure the companies are ordered for those who may not see runs. */
const ORDER_OF = {
  failed: 'failed',
  didntRun: 'didntRun',
  warning: 'warning',
  running: 'jobs',
  success: 'jobs',
} as const satisfies Record<ResultLayer['key'], string>;

/** The jobs by their latest result, as one bar and as figures that link to such runs. */
export function LastResults({ stats, subject }: { stats: OverviewStats; subject: Subject }) {
  const { companyIds = [], source = [] } = subject.jobs;
  const parts = LAYERS.map(
    ({ key, result, word, color }): Proportion => ({
      ...{ key, word, color, count: stats[key], isFaded: key === 'success' },
      to: dailyChecks.at({ company: companyIds, source, result: [result], ...STATUS }),
      otherwise: companies.at({ sort: `-${ORDER_OF[key]}` }),
    }),
  );
  const neverRun: Proportion = {
    ...{ key: 'never', word: 'Never run', color: 'var(--border-strong)', count: stats.neverRan },
    to: (className, figure) => (
      <FigureButton
        className={className}
        dialog={(onClose) => <FigureList figure="never-ran" subject={subject} onClose={onClose} />}
      >
        {figure}
      </FigureButton>
    ),
  };
  return (
    <div className={styles.results}>
      <Proportions label="Jobs by latest result" parts={[...parts, neverRun]} />
    </div>
  );
}
