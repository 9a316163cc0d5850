import { performance } from 'node:perf_hooks';

/** How long something took, over many rounds. */
export interface Timing {
  medianMs: number;
  p95Ms: number;
}

/** Durations in milliseconds of two ways of the same work. */
export type Durations = readonly [number[], number[]];

/**
 * Times two ways of the same work, `rounds` times in turn after a few that do not count: whatever else the machine does meets
 * both alike.
 */
export async function timeInTurn(
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[Timing, Timing]> {
  const durations: Durations = [[], []];
  await addInTurn(durations, rounds, one, other);
  return [timingOf(durations[0]), timingOf(durations[1])];
}

/** The same, added to what was measured before. */
export async function addInTurn(
  durations: Durations,
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  for (let round = -5; round < rounds; round += 1) {
    const [oneMs, otherMs] = [await timed(one), await timed(other)];
    if (round < 0) continue;
    durations[0].push(oneMs);
    durations[1].push(otherMs);
  }
}

/** How long `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Median and 95th percentile of durations in milliseconds. */
export function timingOf(durations: readonly number[]): Timing {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}
