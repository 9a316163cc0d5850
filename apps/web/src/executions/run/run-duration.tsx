import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { formatDuration } from '../../kit/format/durations.ts';
import { useNow } from '../../kit/use-now.ts';
import styles from '../execution-columns.module.css';

type TimedRun = Pick<JobExecution, 'result' | 'startedAt' | 'durationMs'>;

/** How long a run took; of one that is still running, how long it has been running so far. */
export function RunDuration({ run }: { run: TimedRun }) {
  if (run.result === 'Running') return <Elapsed startedAt={run.startedAt} />;
  return formatDuration(run.durationMs);
}

function Elapsed({ startedAt }: { startedAt: string }) {
  const text = useNow((now) => elapsedText(startedAt, now));
  return (
    <span className={styles.muted} title="So far">
      {text}
    </span>
  );
}

const MINUTE_MS = 60_000;

/** In whole minutes: seconds that do not change for half a minute would look stuck. */
export function elapsedText(startedAt: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(startedAt)) / MINUTE_MS);
  return minutes < 1 ? '<1m' : formatDuration(minutes * MINUTE_MS);
}
