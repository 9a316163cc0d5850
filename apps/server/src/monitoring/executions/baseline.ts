/**
 * What a job's next run is judged by: its last 30 successful runs, kept with the job so that a run is judged without reading
 * its history.
 *
 * Layout of the bytes: one byte version (1), then 16 bytes a run, oldest first, all little-endian: start in whole seconds
 * since 1970 (uint32), duration in milliseconds, transferred bytes and size in bytes (float32 each; NaN: not known).
 * A float32 is exact to 7 digits, which is far finer than any range drawn from it.
 */
export interface KnownRun {
  /** Whole seconds. */
  startedAtMs: number;
  durationMs: number | null;
  transferredBytes: number | null;
  sizeBytes: number | null;
}

/** Oldest first, at most `KNOWN_RUNS_MAX`. */
export type Baseline = readonly KnownRun[];

export const KNOWN_RUNS_MAX = 30;

const VERSION = 1;
const RUN_BYTES = 16;

/** Reads a baseline. Bytes of a version that this program does not know count as no baseline: it grows again by itself. */
export function readBaseline(bytes: Buffer | null): Baseline {
  if (bytes === null || bytes[0] !== VERSION) return [];
  const runs: KnownRun[] = [];
  for (let at = 1; at + RUN_BYTES <= bytes.length; at += RUN_BYTES) {
    runs.push({
      startedAtMs: bytes.readUInt32LE(at) * 1_000,
      durationMs: knownValue(bytes.readFloatLE(at + 4)),
      transferredBytes: knownValue(bytes.readFloatLE(at + 8)),
      sizeBytes: knownValue(bytes.readFloatLE(at + 12)),
    });
  }
  return runs;
}

export function writeBaseline(baseline: Baseline): Buffer {
  const bytes = Buffer.alloc(1 + baseline.length * RUN_BYTES);
  bytes[0] = VERSION;
  baseline.forEach((run, index) => {
    const at = 1 + index * RUN_BYTES;
    bytes.writeUInt32LE(Math.floor(run.startedAtMs / 1_000), at);
    bytes.writeFloatLE(run.durationMs ?? Number.NaN, at + 4);
    bytes.writeFloatLE(run.transferredBytes ?? Number.NaN, at + 8);
    bytes.writeFloatLE(run.sizeBytes ?? Number.NaN, at + 12);
  });
  return bytes;
}

/** A run as the baseline keeps it, rounded as its bytes round it: judging by stored and by fresh values is the same. */
export function knownRun(run: KnownRun): KnownRun {
  return {
    startedAtMs: Math.floor(run.startedAtMs / 1_000) * 1_000,
    durationMs: rounded(run.durationMs),
    transferredBytes: rounded(run.transferredBytes),
    sizeBytes: rounded(run.sizeBytes),
  };
}

/** The baseline after one more successful run, which is younger than all in it. */
export function withRun(baseline: Baseline, run: KnownRun): Baseline {
  const kept = baseline.length < KNOWN_RUNS_MAX ? baseline : baseline.slice(baseline.length - KNOWN_RUNS_MAX + 1);
  return [...kept, knownRun(run)];
}

function knownValue(stored: number): number | null {
  return Number.isNaN(stored) ? null : stored;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.fround(value);
}
