import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { laterOf } from '../model/later-of.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ListedJournal, ListedSegment, LivingLock, Repository } from '../repository/repository.ts';

export interface ShortenedJournals {
  /** Segments that were written, with so many runs. */
  segments: number;
  runs: number;
  /** Runs whose journals were deleted, as they are in segments. */
  deleted: number;
  /** Segments that said what was erased from the journals beside them. */
  dropped: number;
  /** Runs whose journals stay as they are locked, and until when. */
  locked: number;
  lockedUntil: Date | null;
}

export interface ShortenOptions {
  signal?: AbortSignal;
  /** How many runs a segment has; fewer are left as they are. */
  runsASegment?: number;
  /** How many segments are written; the rest waits for the next time. */
  segmentsMax?: number;
}

const RUNS_A_SEGMENT = 1_000;
/** A run with more is no burden to lists, and a segment is read as a whole. */
const RUN_BYTES_MAX = 8 * 2 ** 20;
const SEGMENT_BYTES_MAX = 8 * 2 ** 20;
/** Between the journal and its segment, and between that and the deletion of the journal: a list may be late, and others read on. */
const GRACE_MS = 24 * 3_600_000;
const NAMES_A_QUESTION = 1_000;
/** So many journals are in memory at most; those after them wait for the next time. */
const LOOSE_MAX = 50_000;

/** Whether there is so much that shortening is worth its lists. */
export async function isShorteningDue(catalog: RepositoryCatalog): Promise<boolean> {
  return (await catalog.countUnsegmented()) >= RUNS_A_SEGMENT;
}

/**
 * Copies the journals of runs that have ended into segments, a thousand each, and deletes journals that have been in a segment for a day
 * (format, 9). The catalog was brought up to date under the lock: then no erasure begins meanwhile. Cut short anywhere, it loses nothing: what is
 * in both places counts once.
 */
export async function shortenJournals(
  repository: Repository,
  catalog: RepositoryCatalog,
  lock: LivingLock,
  { signal, runsASegment = RUNS_A_SEGMENT, segmentsMax = Number.POSITIVE_INFINITY }: ShortenOptions = {},
): Promise<ShortenedJournals> {
  const done: ShortenedJournals = { segments: 0, runs: 0, deleted: 0, dropped: 0, locked: 0, lockedUntil: null };
  // What is being removed from the journals must not be copied.
  if (await catalog.isErasureUnfinished()) return done;
  const { loose, segmented, now } = await sortedJournals(repository, catalog);
  await deleteSegmented({ repository, lock, signal }, segmented, new Date(now - GRACE_MS), done);
  const old = loose.filter(
    ({ createdAt, sizeBytes }) => createdAt.getTime() < now - GRACE_MS && sizeBytes <= RUN_BYTES_MAX,
  );
  for (const batch of batchesOf(old, runsASegment).slice(0, segmentsMax)) {
    signal?.throwIfAborted();
    if (!(await repository.createSegment(batch, lock))) continue;
    done.segments += 1;
    done.runs += batch.length;
  }
  return done;
}

/** Journals that could be in a segment, those that are, and the present by the store's clock: that of the newest object. */
async function sortedJournals(repository: Repository, catalog: RepositoryCatalog) {
  const loose: ListedJournal[] = [];
  const segmented = new Map<string, ListedJournal[]>();
  let now = 0;
  let page: ListedJournal[] = [];
  const sort = async () => {
    const runs = page.map(({ run }) => run);
    const [ended, segments] = [await catalog.unsegmented(runs), await catalog.segmentsOf(runs)];
    for (const journal of page) {
      const segment = segments.get(journal.run);
      if (segment !== undefined) segmented.set(segment, [...(segmented.get(segment) ?? []), journal]);
      else if (loose.length < LOOSE_MAX && journal.isWhole && ended.get(journal.run) === journal.commits)
        loose.push(journal);
    }
    page = [];
  };
  for await (const journal of repository.listJournals()) {
    now = Math.max(now, journal.createdAt.getTime());
    page.push(journal);
    if (page.length >= NAMES_A_QUESTION) await sort();
  }
  await sort();
  return { loose, segmented, now };
}

async function deleteSegmented(
  { repository, lock, signal }: { repository: Repository; lock: LivingLock; signal: AbortSignal | undefined },
  segmented: ReadonlyMap<string, readonly ListedJournal[]>,
  before: Date,
  done: ShortenedJournals,
): Promise<void> {
  const due = (await repository.listSegments()).filter(({ createdAt }) => createdAt < before);
  for (const segment of due) {
    signal?.throwIfAborted();
    const journals = segmented.get(segment.name) ?? [];
    const state =
      journals.length === 0 ? null : await orDamaged(repository.dropOutdatedSegment(segment, journals, lock));
    if (state === 'dropped') done.dropped += 1;
    // The forms that say less must not go for one that says more.
    if (state !== 'current') continue;
    for (const journal of journals) {
      signal?.throwIfAborted();
      await deleteOne(repository, segment, journal, done);
    }
  }
}

async function deleteOne(
  repository: Repository,
  segment: ListedSegment,
  journal: ListedJournal,
  done: ShortenedJournals,
): Promise<void> {
  const until = await repository.deleteSegmented(segment, journal).catch((error: unknown) => {
    // Its journal stays: a copy of it is all that can mend either, and the others need not wait for one.
    if (error instanceof EngineError && error.code === 'damaged') return undefined;
    throw error;
  });
  if (until === undefined) return;
  if (until === null) done.deleted += 1;
  else done.locked += 1;
  done.lockedUntil = laterOf(done.lockedUntil, until);
}

/** Whole batches in the order of the runs; what is left over waits until there is more. */
function batchesOf(journals: readonly ListedJournal[], runsASegment: number): ListedJournal[][] {
  const batches: ListedJournal[][] = [];
  let batch: ListedJournal[] = [];
  let bytes = 0;
  for (const journal of journals) {
    batch.push(journal);
    bytes += journal.sizeBytes;
    if (batch.length < runsASegment && bytes < SEGMENT_BYTES_MAX) continue;
    batches.push(batch);
    [batch, bytes] = [[], 0];
  }
  return batches;
}
