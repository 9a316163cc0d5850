import type { JobSpan } from '../rows/execution-rows.ts';

/** Returns one span a job, from its first to its last. */
export function mergedByJob(spans: readonly JobSpan[]): JobSpan[] {
  const merged = new Map<string, JobSpan>();
  for (const span of spans) {
    const { jobInstanceUid } = span;
    const other = merged.get(jobInstanceUid);
    if (other === undefined) merged.set(jobInstanceUid, { ...span });
    else {
      other.fromMs = Math.min(other.fromMs, span.fromMs);
      other.toMs = Math.max(other.toMs, span.toMs);
    }
  }
  return [...merged.values()];
}

/** After every run: none may start that far ahead. */
const EVER_MS = Date.UTC(2200, 0, 1);

/** Returns the span of all runs of a job. */
export function wholeSpan(jobInstanceUid: string): JobSpan {
  return { jobInstanceUid, fromMs: 0, toMs: EVER_MS };
}
