import type { Anomaly, Result } from '@keepwatch/contract/monitoring/values';
import type { Baseline, KnownRun } from './baseline.ts';
import { durationText, sizeText } from './quantities.ts';

/**
 * What is odd about a run that ended well. Three of the signs compare it with the job's own successful runs before it, two
 * stand in the run itself (see run-signs.ts).
 *
 * The range of a value is drawn on a multiplicative scale (logarithms), because backups grow and shrink by factors: the
 * median, times or divided by e^(5 × 1.4826 × MAD) of the logarithms, at least by 2. On this scale a run that moves a tenth
 * of the usual bytes lies as far out as one that moves ten times as much; on a linear scale it would never lie outside,
 * and a backup that silently stopped reading its data would stay green.
 *
 * Two things keep it quiet. A difference below a floor (2 minutes, 50 MB) is nothing to look at. And a value outside the
 * range that the job has shown twice before, and come back from, is its habit: a full backup on Saturdays, a Sunday on
 * which nobody works. A change that lasts is no habit: it is reported until half of the known runs have it.
 */
type Measure = 'duration' | 'transferred' | 'size';

const MEASURES: readonly { name: Measure; floor: number; of(run: KnownRun): number | null }[] = [
  { name: 'duration', floor: 2 * 60_000, of: (run) => run.durationMs },
  { name: 'transferred', floor: 50_000_000, of: (run) => run.transferredBytes },
  { name: 'size', floor: 50_000_000, of: (run) => run.sizeBytes },
];

/** Fewer known runs say nothing. */
export const KNOWN_RUNS_MIN = 8;
const FACTOR_MIN = 2;
const SPREAD_FACTOR = 5 * 1.4826;
/** Values of a habit differ by no more than this. */
const HABIT_FACTOR = 1.5;
const HABIT_TIMES = 2;

/** Which values of `run` lie outside the range of `before`, the successful runs before it (oldest first). */
export function anomaliesOf(run: KnownRun, before: Baseline): Measure[] {
  if (before.length < KNOWN_RUNS_MIN) return [];
  return MEASURES.filter((measure) => isOdd(measure.of(run), before, measure)).map((measure) => measure.name);
}

function isOdd(value: number | null, before: Baseline, measure: (typeof MEASURES)[number]): boolean {
  if (value === null) return false;
  const known: number[] = [];
  for (const run of before) {
    const earlier = measure.of(run);
    if (earlier !== null) known.push(earlier);
  }
  if (known.length < KNOWN_RUNS_MIN) return false;
  const usual = medianOf(known);
  // Most runs end here: no range is narrower than this one.
  if (Math.abs(value - usual) <= measure.floor || isWithin(value, usual, FACTOR_MIN)) return false;
  const factor = Math.max(FACTOR_MIN, Math.exp(SPREAD_FACTOR * spreadOf(known, usual)));
  return !isWithin(value, usual, factor) && !isHabit(value, known, usual, factor);
}

/** Whether a value lies at most a factor away. One is added so that nothing at all (0) lies far from something. */
function isWithin(value: number, usual: number, factor: number): boolean {
  return value + 1 <= (usual + 1) * factor && (value + 1) * factor >= usual + 1;
}

/** The median absolute deviation of the logarithms. */
function spreadOf(known: readonly number[], usual: number): number {
  const centre = Math.log(usual + 1);
  return medianOf(known.map((value) => Math.abs(Math.log(value + 1) - centre)));
}

function isHabit(value: number, known: readonly number[], usual: number, factor: number): boolean {
  const lastUsual = known.findLastIndex((earlier) => isWithin(earlier, usual, factor));
  const times = known.slice(0, lastUsual).filter((earlier) => isWithin(earlier, value, HABIT_FACTOR)).length;
  return times >= HABIT_TIMES;
}

/** The value in the middle; of an even number the lower of the two, so that it is one that occurred. */
function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}

/** What the texts are made from: an execution as it is stored. */
export interface JudgedExecution {
  startedAt: string;
  result: Result;
  anomalies: readonly Anomaly[];
  durationMs: number | null;
  transferredBytes: number | null;
  sizeBytes: number | null;
}

/**
 * One sentence an anomaly for a person: "took 3 h 12 m; usually 41 m (30 runs)". `known` are the job's successful runs, oldest
 * first; those that are not older than the execution are left out.
 */
export function anomalyTexts(execution: JudgedExecution, known: Baseline): string[] {
  const startedAtMs = Date.parse(execution.startedAt);
  const before = known.filter((run) => run.startedAtMs < startedAtMs);
  return execution.anomalies.map((anomaly) => textOf(anomaly, execution, before));
}

function textOf(anomaly: Anomaly, execution: JudgedExecution, before: Baseline): string {
  switch (anomaly) {
    case 'duration':
      return compared('took', execution.durationMs, before, (run) => run.durationMs, durationText);
    case 'transferred':
      return compared('moved', execution.transferredBytes, before, (run) => run.transferredBytes, sizeText);
    case 'size':
      return compared('is', execution.sizeBytes, before, (run) => run.sizeBytes, sizeText);
    case 'no-restore-point':
      return 'ended well but made no new restore point';
    case 'contradiction':
      return 'is reported as a success, but its message or log says otherwise';
  }
}

function compared(
  verb: string,
  value: number | null,
  before: Baseline,
  of: (run: KnownRun) => number | null,
  print: (value: number) => string,
): string {
  const known = before.map(of).filter((earlier) => earlier !== null);
  const now = value === null ? 'an unknown amount' : print(value);
  if (known.length === 0) return `${verb} ${now}, which is not usual for this job`;
  return `${verb} ${now}; usually ${print(medianOf(known))} (${known.length} ${known.length === 1 ? 'run' : 'runs'})`;
}
