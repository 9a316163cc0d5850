import type { PastRun } from '@keepwatch/contract/executions/job-executions';

export type Measure = 'durationMs' | 'transferredBytes';

export const BAR_PX = 14;
export const STEP_PX = 18;
export const HEIGHT_PX = 72;
/** A run without a value (missed, or still running) is a stub, so that it stays visible. */
const STUB_PX = 4;

/** How high the bar of each run is, in pixels; the largest fills the picture. */
export function barHeights(runs: readonly PastRun[], measure: Measure): number[] {
  const largest = Math.max(1, ...runs.map((run) => run[measure] ?? 0));
  return runs.map((run) => {
    const value = run[measure];
    return value === null ? STUB_PX : Math.max(STUB_PX, Math.round((value / largest) * HEIGHT_PX));
  });
}
