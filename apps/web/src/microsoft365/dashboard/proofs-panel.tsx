import type { ProvedJobs } from '@keepwatch/contract/microsoft365/protection';
import { o365Jobs } from '../../entities/places.ts';
import { DashboardPanel, type Reading } from '../../kit/dashboard/dashboard-panel.tsx';
import { Figure } from '../../kit/facts/figure.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { useNow } from '../../kit/use-now.ts';
import { proofText } from '../proofs/proof-words.ts';
import styles from './dashboard.module.css';
import { QUESTION_PX } from './people-panel.tsx';

const STATUS_WORDS = { Failed: 'the last proof failed', Warning: 'nothing to restore', never: 'not proved yet' };

/** Whether what is backed up was proved restorable. */
export function ProofsPanel({ reading }: { reading: Reading<ProvedJobs> }) {
  return (
    <DashboardPanel
      title="Can it be restored?"
      columns={4}
      bodyPx={QUESTION_PX}
      reading={reading}
      emptyText={({ jobs }) => (jobs === 0 ? 'No restore point yet. The first one is proved at once.' : null)}
    >
      {(proofs) => <Proofs proofs={proofs} />}
    </DashboardPanel>
  );
}

function Proofs({ proofs: { jobs, success, last, open } }: { proofs: ProvedJobs }) {
  return (
    <div className={styles.padded}>
      <Figure
        label={`${jobs === 1 ? 'Job' : 'Jobs'} proved restorable`}
        hint="Jobs with a restore point whose last proof restored a random sample without a fault"
        value={
          <>
            {formatCount(success)}
            <span className={styles.of}>{` of ${formatCount(jobs)}`}</span>
          </>
        }
      />
      <div className={styles.meter} aria-hidden>
        <span style={{ flexGrow: success, background: 'var(--status-success)' }} hidden={success === 0} />
        <span style={{ flexGrow: jobs - success, background: 'var(--status-failed)' }} hidden={success === jobs} />
      </div>
      <ul className={styles.reasons}>
        {last !== null && <Last last={last} />}
        {open.map(({ jobId, jobName, organizationName, status }) => (
          <li key={jobId}>
            <ScreenLink className={styles.reason} to={o365Jobs.at({ open: jobId })}>
              <strong>{jobName}</strong> {STATUS_WORDS[status ?? 'never']}
              <span className={styles.whose}>{organizationName}</span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Last({ last }: { last: NonNullable<ProvedJobs['last']> }) {
  const text = useNow((now) => proofText(last, now));
  return (
    <li>
      <ScreenLink className={styles.reason} to={o365Jobs.at({ open: last.jobId })}>
        {text}
        <span className={styles.whose}>{`${last.jobName}, ${last.organizationName}`}</span>
      </ScreenLink>
    </li>
  );
}
