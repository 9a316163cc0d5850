import { anomalyTexts, type JudgedExecution } from './anomalies.ts';
import { readBaseline } from './baseline.ts';

/** An execution as the database returns it: with the runs that say what is usual, instead of the texts made of them. */
export type ExecutionRow<Execution> = Omit<Execution, 'anomalyTexts'> & { baseline: Buffer | null };

/** Replaces the baseline with one text an anomaly. */
export function withAnomalyTexts<Row extends JudgedExecution & { baseline: Buffer | null }>(
  row: Row,
): Omit<Row, 'baseline'> & { anomalyTexts: string[] } {
  const { baseline, ...execution } = row;
  return { ...execution, anomalyTexts: anomalyTexts(row, readBaseline(baseline)) };
}
