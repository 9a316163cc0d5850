import type { JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import { formatDateTime } from '../../kit/format/dates.ts';

type MissedRun = Pick<JobExecutionDetail, 'startedAt' | 'pastRuns'>;

/** Fewer intervals than this do not show a cadence. */
const INTERVALS_MIN = 3;

/** Describes a missed run in a sentence or two: when it was expected, which run came next, and the cadence. */
export function missedText({ startedAt, pastRuns }: MissedRun, timeZone: string): string {
  const ran = pastRuns.filter(({ result }) => result !== 'DidntRun').map((run) => run.startedAt);
  const next = ran.find((at) => at > startedAt);
  const intervalMs = usualIntervalMs(ran.filter((at) => at < startedAt));
  const came = next === undefined ? 'no run has come since' : `nothing came until ${formatDateTime(next, timeZone)}`;
  const cadence = intervalMs === null ? '' : ` The runs before it came every ${formatInterval(intervalMs)}.`;
  return `Expected ${formatDateTime(startedAt, timeZone)}; ${came}.${cadence}`;
}

/** The median time from one start to the next, in milliseconds; `null` where there are too few starts. */
function usualIntervalMs(startsAt: readonly string[]): number | null {
  const starts = startsAt.map((at) => Date.parse(at)).sort((one, other) => one - other);
  const intervals = starts.slice(1).map((start, place) => start - (starts[place] ?? start));
  if (intervals.length < INTERVALS_MIN) return null;
  return intervals.sort((one, other) => one - other)[Math.floor(intervals.length / 2)] ?? null;
}

const UNITS: readonly [ms: number, word: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** `day`, `2 hours`, `15 minutes`: about, in the largest unit of which it is a whole number within a twentieth. */
function formatInterval(intervalMs: number): string {
  const isWhole = (ms: number) =>
    intervalMs >= ms * 0.95 && Math.abs(intervalMs / ms - Math.round(intervalMs / ms)) < 0.05;
  const [ms, word] = UNITS.find(([unitMs]) => isWhole(unitMs)) ?? [60_000, 'minute'];
  const count = Math.max(1, Math.round(intervalMs / ms));
  return count === 1 ? word : `${count} ${word}s`;
}
