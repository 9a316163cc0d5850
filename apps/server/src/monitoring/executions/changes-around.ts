import type { Connection } from '../../foundation/database.ts';
import { type Attempt, isEqualAttempt, retold } from './attempt.ts';
import { type Baseline, baselineOf, KNOWN_RUNS_MAX, NO_RUNS, runsBefore } from './baseline.ts';
import { executionId } from './execution-id.ts';
import { type JobSpan, readExecutions, readKnownRuns, readNeighbours } from './execution-rows.ts';
import type { JobMemory } from './job-memory.ts';
import { changesOf, type JobChanges } from './run-changes.ts';

/** What is known of jobs of one provider. */
interface Known {
  providerId: number;
  memories: ReadonlyMap<string, JobMemory>;
  /** `false`: what the memory of a job does not know of is looked for as well. */
  isMemoryTrusted: boolean;
}

/** Changes of jobs whose told tries lie among known ones. */
export async function changesAround(
  connection: Connection,
  { providerId, memories, isMemoryTrusted }: Known,
  told: ReadonlyMap<string, readonly Attempt[]>,
): Promise<JobChanges[]> {
  const news = await withoutRepetitions(connection, providerId, told);
  const spans = [...news].map(([jobInstanceUid, attempts]) => spanOf(jobInstanceUid, attempts));
  const neighbours = await readNeighbours(connection, providerId, spans);
  const jobs = spans.flatMap((span) => {
    const memory = memories.get(span.jobInstanceUid);
    const stored = neighbours.get(span.jobInstanceUid) ?? [];
    const fromMs = Math.min(span.fromMs, stored[0]?.tries[0].startedAtMs ?? span.fromMs);
    if (memory === undefined) return [];
    const before = isMemoryTrusted ? knownBefore(memory, fromMs) : null;
    return [{ span: { ...span, fromMs }, memory, stored, before }];
  });
  const forgotten = jobs.filter((job) => job.before === null).map((job) => job.span);
  const known = await readKnownRuns(connection, providerId, forgotten);
  return jobs.map(({ span, memory, stored, before }) => {
    const toldOfJob = news.get(span.jobInstanceUid) ?? [];
    const read = known.get(span.jobInstanceUid);
    return changesOf({
      providerId,
      memory,
      told: toldOfJob,
      stored,
      before: before ?? (read === undefined ? NO_RUNS : baselineOf(read)),
    });
  });
}

/** What is left when tries that are stored exactly so are dropped: what a source tells again at every sync. */
async function withoutRepetitions(
  connection: Connection,
  providerId: number,
  told: ReadonlyMap<string, readonly Attempt[]>,
): Promise<Map<string, readonly Attempt[]>> {
  const idOf = (uid: string, attempt: Attempt) => executionId(providerId, uid, new Date(attempt.startedAtMs));
  const keys = [...told].flatMap(([uid, attempts]) =>
    attempts.map((attempt) => ({ id: idOf(uid, attempt), startedAtMs: attempt.startedAtMs })),
  );
  const stored = await readExecutions(connection, providerId, keys);
  const isNews = (uid: string) => (attempt: Attempt) => {
    const first = stored.get(idOf(uid, attempt))?.tries[0];
    return first === undefined || !isEqualAttempt(first, retold(first, attempt));
  };
  return new Map(
    [...told]
      .map(([uid, attempts]) => [uid, attempts.filter(isNews(uid))] as const)
      .filter(([, attempts]) => attempts.length > 0),
  );
}

/** Starts that differ by less than a minute may be the same. */
const SPAN_MARGIN_MS = 60_000;

function spanOf(jobInstanceUid: string, attempts: readonly Attempt[]): JobSpan {
  const starts = attempts.map((attempt) => attempt.startedAtMs);
  return {
    jobInstanceUid,
    fromMs: starts.reduce((least, start) => Math.min(least, start)) - SPAN_MARGIN_MS,
    toMs: starts.reduce((most, start) => Math.max(most, start)) + SPAN_MARGIN_MS,
  };
}

/** The successful runs before an instant, as far as the memory has all of them; `null`: they have to be read. */
function knownBefore({ baseline }: JobMemory, fromMs: number): Baseline | null {
  const before = runsBefore(baseline, fromMs);
  return before.count === baseline.count || baseline.count < KNOWN_RUNS_MAX ? before : null;
}
