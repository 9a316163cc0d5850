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
  const taken: Durations = [[], []];
  await addInTurn(taken, rounds, one, other);
  return [timingOf(taken[0]), timingOf(taken[1])];
}

/** The same, added to what was taken before. */
export async function addInTurn(
  taken: Durations,
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  for (let round = -5; round < rounds; round += 1) {
    const [oneMs, otherMs] = [await timed(one), await timed(other)];
    if (round < 0) continue;
    taken[0].push(oneMs);
    taken[1].push(otherMs);
  }
}

/** How long `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Median and 95th percentile of durations in milliseconds. */
export function timingOf(taken: readonly number[]): Timing {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}
