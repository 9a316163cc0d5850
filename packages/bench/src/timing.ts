import { performance } from 'node:perf_hooks';

/** How long something took, over many rounds. */
export interface Timing {
  medianMs: number;
  p95Ms: number;
}

/** Times `rounds` runs of `work` one after the other, after a few that do not count. */
export async function time(rounds: number, work: () => Promise<unknown>): Promise<Timing> {
  for (let warm = 0; warm < 5; warm += 1) await work();
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return timingOf(taken);
}

/** Median and 95th percentile of durations in milliseconds. */
export function timingOf(taken: readonly number[]): Timing {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}
