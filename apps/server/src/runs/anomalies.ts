import type { Anomaly, Result } from '@keepwatch/contract/runs/values';
import {
  type Amount,
  amountOf,
  type Baseline,
  CODES_PER_E,
  codeOf,
  KNOWN_RUNS_MAX,
  type KnownRun,
  readCodes,
  runsBefore,
} from './baseline.ts';
import { durationText, sizeText } from './quantities.ts';

/**
 * What is odd about a run that ended well. Three signs compare it with the job's own successful runs before it; two are
 * in the run itself (see run-signs.ts).
 *
 * The range of a value is drawn on a multiplicative scale (logarithms), because backups grow and shrink by factors: the
 * median, times or divided by e^(5 × 1.4826 × MAD) of the logarithms, at least by 2. On this scale a run that moves a
 * tenth of the usual bytes is as far out as one that moves ten times as much. On a linear scale it would never be
 * outside, and a backup that stopped reading its data would stay green.
 *
 * Two rules avoid false alarms. A difference below a floor (2 minutes, 50 MB) is ignored, unless a run saves nothing at
 * all where there always was something: a disk that is not mounted is read without an error. And a value outside the
 * range that the job has shown twice before, with usual values since, is a habit: a full backup on Saturdays, a quiet
 * Sunday. A change that lasts is not a habit: it is reported until half of the known runs have it.
 */
const MEASURES = [
  { name: 'duration', amount: 'durationMs', floor: 2 * 60_000 },
  { name: 'transferred', amount: 'transferredBytes', floor: 50_000_000 },
  { name: 'size', amount: 'sizeBytes', floor: 50_000_000 },
] as const satisfies readonly { name: Anomaly; amount: Amount; floor: number }[];
type Measure = (typeof MEASURES)[number];

/** Fewer known runs say nothing. */
export const KNOWN_RUNS_MIN = 8;
const SPREAD_FACTOR = 5 * 1.4826;
/** Differences of codes, that is, of logarithms: no range is narrower than half or double. */
const WIDTH_MIN = Math.log(2) * CODES_PER_E;
/** Amounts of a habit differ by no more than a factor of 1.5. */
const HABIT_WIDTH = Math.log(1.5) * CODES_PER_E;
const HABIT_TIMES = 2;

/**
 * Buffers for the codes of one evaluation, shared because batches evaluate thousands. No `await` may come between
 * filling and use.
 */
const known = new Uint16Array(KNOWN_RUNS_MAX);
const sorted = new Uint16Array(KNOWN_RUNS_MAX);

/** Returns the amounts of `run` that are outside the range of `before`, the successful runs before it. */
export function anomaliesOf(run: KnownRun, before: Baseline): Measure['name'][] {
  if (before.count < KNOWN_RUNS_MIN) return [];
  return MEASURES.filter((measure) => isOdd(run[measure.amount], before, measure)).map((measure) => measure.name);
}

function isOdd(amount: number | null, before: Baseline, measure: Measure): boolean {
  if (amount === null) return false;
  const count = readCodes(before, measure.amount, known);
  if (count < KNOWN_RUNS_MIN) return false;
  const code = codeOf(amount);
  // Most runs end here.
  if (isNearMedian(code, count)) return false;
  const usual = medianOf(known, count);
  const isGone = measure.name === 'size' && amount === 0;
  if (!isGone && Math.abs(amount - amountOf(usual)) <= measure.floor) return false;
  const width = Math.max(WIDTH_MIN, SPREAD_FACTOR * spreadOf(count, usual));
  return Math.abs(code - usual) > width && !isHabit(code, count, usual, width);
}

/**
 * Whether the median of `known` is within the least width of a code. Counts, because sorting takes many times as long.
 */
function isNearMedian(code: number, count: number): boolean {
  let below = 0;
  let upTo = 0;
  for (let index = 0; index < count; index += 1) {
    const earlier = known[index] ?? 0;
    if (earlier < code - WIDTH_MIN) below += 1;
    if (earlier <= code + WIDTH_MIN) upTo += 1;
  }
  const place = (count - 1) >> 1;
  return below <= place && upTo > place;
}

const distances = new Uint16Array(KNOWN_RUNS_MAX);

/** The median absolute deviation. */
function spreadOf(count: number, usual: number): number {
  for (let index = 0; index < count; index += 1) distances[index] = Math.abs((known[index] ?? usual) - usual);
  return medianOf(distances, count);
}

/** Whether there were such amounts before, and usual ones after them. */
function isHabit(code: number, count: number, usual: number, width: number): boolean {
  const codes = known.subarray(0, count);
  const lastUsual = codes.findLastIndex((earlier) => Math.abs(earlier - usual) <= width);
  const times = codes.subarray(0, lastUsual).filter((earlier) => Math.abs(earlier - code) <= HABIT_WIDTH).length;
  return times >= HABIT_TIMES;
}

/** The value in the middle; of an even number the lower of the two, so that it is one that occurred. */
function medianOf(values: Uint16Array, count: number): number {
  sorted.set(values);
  return sorted.subarray(0, count).sort()[(count - 1) >> 1] ?? 0;
}

/** What the texts are made from: a stored execution. */
export interface EvaluatedExecution {
  startedAt: string;
  result: Result;
  anomalies: readonly Anomaly[];
  durationMs: number | null;
  transferredBytes: number | null;
  sizeBytes: number | null;
}

/**
 * Returns one sentence per anomaly for a person: "took 3 h 12 m, usually 41 m (30 runs)". Uses those runs of
 * `baseline`, the job's last successful ones, that came before the execution.
 */
export function anomalyTexts(execution: EvaluatedExecution, baseline: Baseline): string[] {
  const before = runsBefore(baseline, Date.parse(execution.startedAt));
  return execution.anomalies.map((anomaly) => textOf(anomaly, execution, before));
}

function textOf(anomaly: Anomaly, execution: EvaluatedExecution, before: Baseline): string {
  switch (anomaly) {
    case 'duration':
      return `took ${comparison(execution, before, 'durationMs', durationText)}`;
    case 'transferred':
      return `moved ${comparison(execution, before, 'transferredBytes', sizeText)}`;
    case 'size':
      return `is ${comparison(execution, before, 'sizeBytes', sizeText)}`;
    case 'no-restore-point':
      return 'ended well but made no new restore point';
    case 'contradiction':
      return 'reported as successful, but the message or log shows a problem';
  }
}

function comparison(
  execution: EvaluatedExecution,
  before: Baseline,
  amount: Amount,
  print: (amount: number) => string,
): string {
  const value = execution[amount];
  const now = value === null ? 'an unknown amount' : print(value);
  const count = readCodes(before, amount, known);
  if (count === 0) return `${now}, which is not usual for this job`;
  return `${now}, usually ${print(amountOf(medianOf(known, count)))} (${count} ${count === 1 ? 'run' : 'runs'})`;
}
