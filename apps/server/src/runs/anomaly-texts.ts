import { anomalyTexts, type EvaluatedExecution } from './anomalies.ts';
import { readBaseline } from './baseline.ts';

/** An execution as the database returns it: with the baseline instead of the texts made from it. */
export type ExecutionRow<Execution> = Omit<Execution, 'anomalyTexts'> & {
  baseline: Buffer | null;
  /** Compared with the attempts of other runs: waits between attempts are not work. */
  lastAttemptMs: number | null;
};

/** Replaces the baseline with one text per anomaly. */
export function withAnomalyTexts<
  Row extends EvaluatedExecution & { baseline: Buffer | null; lastAttemptMs: number | null },
>(row: Row): Omit<Row, 'baseline'> & { anomalyTexts: string[] } {
  const { baseline, ...execution } = row;
  const lastAttempt = { ...row, durationMs: row.lastAttemptMs };
  return { ...execution, anomalyTexts: anomalyTexts(lastAttempt, readBaseline(baseline)) };
}
