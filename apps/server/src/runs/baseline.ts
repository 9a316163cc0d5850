/**
 * The last 30 successful runs of a job, with which its next run is compared. They are stored with the job, so that no
 * history has to be read, and are used in their stored form: one batch has thousands of jobs.
 *
 * Layout of the bytes: one byte version (1), then 10 bytes per run, oldest first, all little-endian: start in whole
 * seconds since 1970 (uint32), then duration in milliseconds, transferred bytes and size in bytes, a uint16 each: 0 for
 * unknown, else 1 + round(1500 × ln(amount + 1)). This logarithmic code is exact to 0.04 % up to 9 EB, and amounts are
 * compared by factors, that is, by differences of their codes (see anomalies.ts).
 */
export interface Baseline {
  readonly bytes: Buffer;
  /** Runs in it. */
  readonly count: number;
}

/** A run of the baseline. */
export interface KnownRun {
  startedAtMs: number;
  durationMs: number | null;
  transferredBytes: number | null;
  sizeBytes: number | null;
}

/** The amounts in the order in which they are stored. */
export const AMOUNTS = ['durationMs', 'transferredBytes', 'sizeBytes'] as const;
export type Amount = (typeof AMOUNTS)[number];

export const KNOWN_RUNS_MAX = 30;

const VERSION = 1;
const HEADER_BYTES = 1;
const RUN_BYTES = 10;
const AMOUNTS_AT = 4;
/** Steps of the code in a factor of e. */
export const CODES_PER_E = 1_500;

export const NO_RUNS: Baseline = { bytes: Buffer.of(VERSION), count: 0 };

/** Reads a stored baseline. Bytes of an unknown version count as no runs: the next runs build a new baseline. */
export function readBaseline(bytes: Buffer | null): Baseline {
  if (bytes === null || bytes[0] !== VERSION) return NO_RUNS;
  return { bytes, count: Math.floor((bytes.length - HEADER_BYTES) / RUN_BYTES) };
}

/** The baseline of these runs, oldest first: the last 30 of them. */
export function baselineOf(runs: readonly KnownRun[]): Baseline {
  return runs.slice(-KNOWN_RUNS_MAX).reduce(withRun, NO_RUNS);
}

/** The baseline after one more successful run, which is younger than all in it. */
export function withRun(baseline: Baseline, run: KnownRun): Baseline {
  const storedCount = Math.min(baseline.count, KNOWN_RUNS_MAX - 1);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + (storedCount + 1) * RUN_BYTES);
  bytes[0] = VERSION;
  baseline.bytes.copy(bytes, HEADER_BYTES, offsetOf(baseline.count - storedCount), offsetOf(baseline.count));
  const at = offsetOf(storedCount);
  bytes.writeUInt32LE(Math.floor(run.startedAtMs / 1_000), at);
  AMOUNTS.forEach((amount, index) => {
    bytes.writeUInt16LE(codeOf(run[amount]), at + AMOUNTS_AT + index * 2);
  });
  return { bytes, count: storedCount + 1 };
}

/** The runs that began before an instant. */
export function runsBefore(baseline: Baseline, atMs: number): Baseline {
  const second = Math.floor(atMs / 1_000);
  let count = baseline.count;
  while (count > 0 && baseline.bytes.readUInt32LE(offsetOf(count - 1)) >= second) count -= 1;
  return count === baseline.count ? baseline : { bytes: baseline.bytes.subarray(0, offsetOf(count)), count };
}

/** When the runs began, in whole seconds given as milliseconds, oldest first. */
export function startsOf(baseline: Baseline): number[] {
  return Array.from({ length: baseline.count }, (_, index) => baseline.bytes.readUInt32LE(offsetOf(index)) * 1_000);
}

/** Writes the known codes of one amount, oldest first, into `codes` and returns how many there are. */
export function readCodes(baseline: Baseline, amount: Amount, codes: Uint16Array): number {
  const { bytes, count } = baseline;
  const shift = AMOUNTS_AT + AMOUNTS.indexOf(amount) * 2;
  let known = 0;
  for (let at = HEADER_BYTES + shift; at < offsetOf(count); at += RUN_BYTES) {
    const code = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    if (code === 0) continue;
    codes[known] = code;
    known += 1;
  }
  return known;
}

/** The code of an amount; 0 for one that is not known. */
export function codeOf(amount: number | null): number {
  return amount === null ? 0 : 1 + Math.round(CODES_PER_E * Math.log(amount + 1));
}

/** The amount of a code that is not 0. */
export function amountOf(code: number): number {
  return Math.exp((code - 1) / CODES_PER_E) - 1;
}

/** Returns the size in bytes of a baseline of `count` runs. */
export function bytesOf(count: number): number {
  return offsetOf(count);
}

function offsetOf(index: number): number {
  return HEADER_BYTES + index * RUN_BYTES;
}

/** The bytes of the last 30 of these runs, oldest first. */
export function writeBaseline(runs: readonly KnownRun[]): Buffer {
  return baselineOf(runs).bytes;
}
