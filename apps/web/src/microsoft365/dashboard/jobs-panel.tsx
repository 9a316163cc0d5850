import type { BackupStatus } from '@keepwatch/contract/microsoft365/dashboard';
import { o365Jobs } from '../../entities/places.ts';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { type Proportion, Proportions } from '../../kit/dashboard/proportions.tsx';
import { formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import styles from './dashboard.module.css';

const RESULTS = ['Failed', 'Warning', 'Running', 'Success'] as const;
const KEYS = { Failed: 'failed', Warning: 'warning', Running: 'running', Success: 'success' } as const;

/** The jobs by the result of their last run. */
export function JobsPanel({ reading }: { reading: Reading<BackupStatus> }) {
  return (
    <DashboardPanel
      title="Jobs"
      columns={4}
      bodyPx={116}
      narrowBodyPx={150}
      reading={reading}
      actions={<ScreenLink to={o365Jobs.at()}>All jobs</ScreenLink>}
    >
      {({ jobs }) => (
        <div className={styles.padded}>
          <Proportions label="By latest result" parts={partsOf(jobs)} />
          {jobs.disabled > 0 && (
            <p className={styles.note}>
              <ScreenLink to={o365Jobs.at({ only: 'disabled' })}>
                {formatCounted(jobs.disabled, 'job is disabled', 'jobs are disabled')}
              </ScreenLink>
            </p>
          )}
        </div>
      )}
    </DashboardPanel>
  );
}

function partsOf(jobs: BackupStatus['jobs']): Proportion[] {
  const ran = RESULTS.map((result) => {
    const { word, tone } = RESULT_LOOKS[result];
    const isFaded = result === 'Success';
    const to = o365Jobs.at({ status: [result] });
    return { key: result, word, color: `var(--status-${tone})`, count: jobs[KEYS[result]], isFaded, to };
  });
  const to = o365Jobs.at({ only: 'never-run' });
  return [...ran, { key: 'never', word: 'Never run', color: 'var(--border-strong)', count: jobs.neverRun, to }];
}
