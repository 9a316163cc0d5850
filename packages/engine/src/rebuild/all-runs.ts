import { EngineError } from '../model/engine-error.ts';
import type { ListedRun, ListedSegment, Repository } from '../repository/repository.ts';

/** A run of the repository, and whether it is read from a segment. */
export interface StoredRun extends ListedRun {
  segment: ListedSegment | null;
}

export interface AllRunsOptions {
  /** Reads segments whole as their runs come, so that commits are found without a request each. */
  isReading?: boolean;
  /** Called for a segment that cannot be read; its runs are then missing, unless they have journals too. */
  onDamaged?: (segment: ListedSegment) => void;
}

/** What has runs in the order of their ids, one of which is the next. */
interface Line {
  segment: ListedSegment | null;
  runs: AsyncIterator<ListedRun> | Iterator<ListedRun>;
  next: ListedRun;
}

/**
 * All runs of a repository in the order of their ids, whether their commits are objects of their own or in segments. One that is in several
 * places comes once, from a segment.
 */
export async function* allRuns(repository: Repository, options: AllRunsOptions = {}): AsyncGenerator<StoredRun> {
  const segments = await repository.listSegments();
  const lines: Line[] = [];
  const journals = repository.listRuns()[Symbol.asyncIterator]();
  await addLine(lines, null, journals);
  let last = '';
  for (;;) {
    const next = lines.reduce<Line | null>(
      (first, line) => (first === null || isBefore(line, first) ? line : first),
      null,
    );
    const [segment] = segments;
    if (segment !== undefined && (next === null || segment.first <= next.next.run)) {
      segments.shift();
      const runs = await runsIn(repository, segment, options);
      if (runs !== null) await addLine(lines, segment, runs.values());
      continue;
    }
    if (next === null) return;
    const { run } = next.next;
    if (run !== last) yield { ...next.next, segment: next.segment };
    last = run;
    lines.splice(lines.indexOf(next), 1);
    await addLine(lines, next.segment, next.runs);
  }
}

/** Of two places of one run the segment comes first. */
function isBefore(one: Line, other: Line): boolean {
  if (one.next.run !== other.next.run) return one.next.run < other.next.run;
  return one.segment !== null && other.segment === null;
}

async function addLine(lines: Line[], segment: Line['segment'], runs: Line['runs']): Promise<void> {
  const { value, done } = await runs.next();
  if (done !== true) lines.push({ segment, runs, next: value });
}

async function runsIn(
  repository: Repository,
  segment: ListedSegment,
  { isReading = false, onDamaged }: AllRunsOptions,
): Promise<ListedRun[] | null> {
  try {
    return await (isReading ? repository.openSegment(segment) : repository.runsOfSegment(segment));
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'damaged') throw error;
    onDamaged?.(segment);
    return null;
  }
}
