import { anomalyTexts, type JudgedExecution } from './anomalies.ts';
import { readBaseline } from './baseline.ts';

/** An execution as the database returns it: with the runs that say what is usual, instead of the texts made of them. */
export type ExecutionRow<Execution> = Omit<Execution, 'anomalyTexts'> & {
  baseline: Buffer | null;
  /** An attempt is compared with those of other runs: waits between attempts are no work. */
  lastAttemptMs: number | null;
};

/** Replaces the baseline with one text an anomaly. */
export function withAnomalyTexts<
  Row extends JudgedExecution & { baseline: Buffer | null; lastAttemptMs: number | null },
>(row: Row): Omit<Row, 'baseline'> & { anomalyTexts: string[] } {
  const { baseline, ...execution } = row;
  const lastAttempt = { ...row, durationMs: row.lastAttemptMs };
  return { ...execution, anomalyTexts: anomalyTexts(lastAttempt, readBaseline(baseline)) };
}
