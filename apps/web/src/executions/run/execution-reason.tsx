import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import IconActivityHeartbeat from '@tabler/icons-react/dist/esm/icons/IconActivityHeartbeat.mjs';
import styles from './execution-marks.module.css';
import { ExecutionMarks } from './execution-marks-view.tsx';

/** Why a run is in the list: what is unusual about it, in words, and what its source says. */
export function ExecutionReason({ run }: { run: JobExecution }) {
  return (
    <>
      <ExecutionMarks run={run} />
      {run.anomalyTexts.length > 0 && (
        <span className={styles.anomaly}>
          <IconActivityHeartbeat size={14} stroke={1.8} aria-hidden className={styles.anomalyIcon} />
          {run.anomalyTexts.join('; ')}
        </span>
      )}
      {run.message}
    </>
  );
}

/** The same as a text, for a hint. */
export function reasonText({ anomalyTexts, message }: JobExecution): string | undefined {
  const parts = [...anomalyTexts, ...(message === null ? [] : [message])];
  return parts.length === 0 ? undefined : parts.join('\n');
}
