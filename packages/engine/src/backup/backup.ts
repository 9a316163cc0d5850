import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { countedSkew } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
import type { OnEvent } from '../model/engine-event.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import { missingPacksText } from '../model/missing-packs-text.ts';
import { type Outcome, outcomeOf } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { isShorteningDue, shortenJournals } from '../prune/shorten-journals.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { catchUpInOrder } from '../rebuild/catch-up-in-order.ts';
import { closeDeadRuns } from '../rebuild/close-dead-runs.ts';
import { ObjectOwnership, type OwnedObject } from '../rebuild/object-ownership.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { Repository, Run } from '../repository/repository.ts';
import type { FoundSubject, ListingNote, Selection, Source } from '../source/source.ts';
import { writeDamage } from '../verify/mark-damage.ts';
import { missingPacks } from '../verify/missing-packs.ts';
import { extendLocksDaily } from '../verify/review-locks.ts';
import { BackupReport } from './backup-report.ts';
import { Committer } from './committer.ts';
import {
  type CarriedObject,
  carriedObjects,
  type EarlierPoint,
  earlierPoint,
  type ReadState,
  reportedRevision,
  type UnknownObject,
  unknownObjects,
} from './earlier-objects.ts';
import { listedAhead } from './listed-ahead.ts';
import { backUpObject, reasonOf } from './object-backup.ts';
import { ObjectChanges } from './object-changes.ts';
import { sourceError } from './read-item.ts';

export interface BackupJob {
  id: string;
  name: string;
  selection: Selection;
  /**
   * For how many days its restore points stay, counted back from the newest; without: as its runs before said; `null`: from now on as a prune
   * says it of all jobs.
   */
  keepDays?: number | null;
}

export interface BackupParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  source: Source;
  /**
   * Aborted: what was read is committed, and the run ends as Stopped. With an EngineError `run-closed` as the reason, another process does the run: it is
   * left as a killed process leaves it, without an end, so that there is no restore point beside the other's.
   */
  signal: AbortSignal;
  now?: () => Date;
  /** Called with what happens, as it happens. What it throws ends the run. */
  onEvent?: OnEvent;
  /** Called before anything is read: who stores the id can find out later whether a killed process had ended the run. What it throws ends the run. */
  onBegun?: (run: string) => Promise<void>;
  objectsAtOnce?: number;
}

export interface BackupResult extends RunEnd {
  run: string;
}

/**
 * Read side by side, unless it is said otherwise. One mailbox alone cannot be read faster than its own limits allow, and its first and last requests
 * follow one another: half as many leave places of a connection free.
 */
export const OBJECTS_AT_ONCE = 16;
/** Longer than a prune waits and works, and than the lock of a dead one counts. */
const LOCK_WAIT_MS = 60 * 60_000;
/** A source that does not answer at all has no say, and the run says why it could not read. */
const TIME_ASKED_FOR_MS = 10_000;
const PROGRESS_EVERY_MS = 250;
/** So that no run works for long on what many before it left. */
const SEGMENTS_A_RUN = 4;
/** A first run does not know how many objects there are. */
const LISTING_BROKE_OFF = 'The list of what is to be backed up broke off, so that some of it was not reached.';
/** A job that protects nothing must not look like one that does. */
const NOTHING_COVERED =
  'The selection covers no object, so nothing was backed up. Choose objects that exist, or kinds that they have.';

/**
 * One run of a job: reads what changed in its objects since their last run, and ends in a restore point. A run that was killed at
 * any point leaves its commits in the repository; the next one continues from them.
 *
 * @throws EngineError for what concerns the whole run before it could begin or store anything; all else is in the result
 */
export async function backUp(given: BackupParts, job: BackupJob): Promise<BackupResult> {
  const repository = given.repository.until(given.signal);
  const parts = { ...given, repository };
  const { catalog, source } = parts;
  const header = {
    kind: 'backup',
    job: job.id,
    jobName: job.name,
    organizationId: source.organizationId,
    ...(job.keepDays === undefined ? {} : { keepDays: job.keepDays }),
  } as const;
  const wait = {
    forMs: LOCK_WAIT_MS,
    signal: parts.signal,
    onWait: (message: string) => parts.onEvent?.({ type: 'waiting', on: 'lock', message, until: null, holders: [] }),
  };
  await askTime(parts);
  const run = await repository.startRun(header, catalog, { wait, skewMs: source.skewMs?.() ?? null });
  try {
    // Under the lock: from here on, no other process deletes what the catalog lists.
    const onWait = (message: string) =>
      parts.onEvent?.({ type: 'waiting', on: 'exchange', message, until: null, holders: [] });
    const doubled = await catchUpInOrder(repository, catalog, { signal: parts.signal, onWait });
    // Before any decision based on the catalog: from here on, a process that presumes this run dead can close it.
    await catalog.apply(await run.commit({ follows: await catalog.unfollowed() }));
    await closeDeadRuns(repository, catalog, run.id);
    await parts.onBegun?.(run.id);
    parts.onEvent?.({ type: 'phase', phase: 'reading' });
    return await new BackupRun(parts, job, run, doubled).work();
  } finally {
    await run.abandon();
  }
}

/** So that the run knows from its beginning what the time is: the clock of a local folder is this machine's own. */
async function askTime({ source, signal }: BackupParts): Promise<void> {
  // What the source refuses, or not to answer, is a finding of the run when it is read.
  await source.askTime?.(AbortSignal.any([signal, AbortSignal.timeout(TIME_ASKED_FOR_MS)])).catch(() => undefined);
}

class BackupRun {
  private readonly parts: BackupParts;
  private readonly run: Run;
  private readonly now: () => Date;
  private readonly report: BackupReport;
  private readonly committer: Committer;
  private readonly inProgress = new Set<string>();
  private readonly ownership: ObjectOwnership;
  /** What one object cannot go on from, no object can. */
  private readonly fatal = new AbortController();
  private readonly signal: AbortSignal;
  private earlier: EarlierPoint = { objects: new Map(), unknown: new Set(), formerSites: {} };
  private readonly job: BackupJob;
  private readonly listed = {
    keys: new Set<string>(),
    found: [] as FoundSubject[],
    refused: new Set<string>(),
    unknown: new Map<string, UnknownObject>(),
    moved: [] as ProtectedObject[],
    isWhole: false,
  };
  private isListBroken = false;
  private objectsDone = 0;
  private progressReportedMs = 0;

  constructor(parts: BackupParts, job: BackupJob, run: Run, doubled: readonly DoubledRevision[]) {
    this.parts = parts;
    this.job = job;
    this.run = run;
    this.report = new BackupReport(parts.onEvent);
    this.report.doubled(doubled);
    this.ownership = new ObjectOwnership(parts.repository, parts.catalog, run, (found) => this.report.doubled(found));
    const { now = () => new Date(), source } = parts;
    // The source's clock, or else the store's: what a run ended stays for as long as retention says, and not as a wrong clock does.
    this.now = () => new Date(now().getTime() - countedSkew(source.skewMs?.() ?? run.skewMs));
    this.committer = new Committer(run, parts.catalog, this.now, () => this.ownership.giveBack());
    this.signal = AbortSignal.any([parts.signal, this.fatal.signal]);
  }

  async work(): Promise<BackupResult> {
    const { catalog, source } = this.parts;
    const { id, selection } = this.job;
    this.earlier = await earlierPoint(catalog, id, source.organizationId);
    try {
      await this.markMissing();
      await this.readAll(selection);
      throwIfLeft(this.parts.signal);
      await this.extendLocks();
      await this.shorten();
      throwIfLeft(this.parts.signal);
      return await this.end(selection);
    } finally {
      await this.committer.release();
      // Whatever stopped it: what is stored by now is in no result.
      this.reportProgress();
      await this.ownership.end();
    }
  }

  /** Before anything is read: what is equal to what is missing must not count as stored. */
  private async markMissing(): Promise<void> {
    const { repository, catalog } = this.parts;
    const { damage, items } = await missingPacks(repository, catalog);
    if (damage.length === 0) return;
    await writeDamage({ repository, catalog, run: this.run, now: this.now }, this.ownership, damage, items);
    this.report.alert(
      'missing-packs',
      `${missingPacksText(damage.length, repository.description)} What was in them is read again, as far as its source still has it. A verify names what cannot be brought back.`,
    );
  }

  /** The contents that the restore point uses may be years old, with expired retention locks. A failure to lock them again does not fail what was read. */
  private async extendLocks(): Promise<void> {
    if (this.parts.signal.aborted) return;
    try {
      await extendLocksDaily(this.parts.repository, this.parts.catalog, this.signal);
    } catch (error) {
      if (this.signal.aborted) return;
      this.report.alert('not-locked', `Locks against deletion could not be made longer: ${reasonOf(error)}`);
    }
  }

  /** Beside the locks, so that a repository which is never pruned does not grow in what its runs list. A failure does not fail what was read. */
  private async shorten(): Promise<void> {
    const { repository, catalog, signal } = this.parts;
    if (signal.aborted || !(await isShorteningDue(catalog))) return;
    try {
      await catchUp(repository, catalog, { signal });
      await shortenJournals(repository, catalog, this.run.lock, { signal, segmentsMax: SEGMENTS_A_RUN });
    } catch (error) {
      if (signal.aborted) return;
      this.report.alert('not-shortened', `Journals could not be shortened: ${reasonOf(error)}`);
    }
  }

  private async readAll(selection: Selection): Promise<void> {
    try {
      const atOnce = this.parts.objectsAtOnce ?? OBJECTS_AT_ONCE;
      await forEachAtOnce(this.claimed(selection, atOnce), atOnce, (object) => this.backUp(object));
    } catch (error) {
      this.fatal.signal.throwIfAborted();
      if (this.parts.signal.aborted) return;
      if (isFatal(error)) throw error;
      this.report.failure(null, reasonOf(error));
    }
  }

  /** Objects in batches that are claimed in one request, as far as they are listed when the first of them is needed. */
  private async *claimed(selection: Selection, atOnce: number): AsyncGenerator<ProtectedObject> {
    for await (const batch of listedAhead(this.objects(selection), atOnce)) {
      this.ownership.claim(batch.map((object) => this.parts.repository.objectKey(object)));
      yield* batch;
    }
  }

  private async *objects(selection: Selection): AsyncGenerator<ProtectedObject> {
    try {
      const onFound = (found: FoundSubject) => this.listed.found.push(found);
      for await (const listed of this.parts.source.listObjects(selection, this.signal, onFound)) {
        if ('code' in listed) this.note(listed);
        else yield listed;
      }
      this.listed.isWhole = !this.isListBroken;
    } catch (error) {
      this.isListBroken = true;
      throw sourceError(error, this.signal);
    }
  }

  private note({ code, message, unlisted, unknown }: ListingNote): void {
    if (unknown !== undefined)
      this.listed.unknown.set(this.parts.repository.objectKey(unknown), { name: unknown.name, message });
    else if (unlisted === undefined) this.report.alert(code, message);
    else this.report.failure(unlisted.name, message);
    if (unlisted?.subject === null) this.isListBroken = true;
    else if (unlisted !== undefined) this.listed.refused.add(unlisted.subject);
  }

  private async backUp(object: ProtectedObject): Promise<void> {
    const key = this.parts.repository.objectKey(object);
    this.listed.keys.add(key);
    this.report.counts.objects += 1;
    this.inProgress.add(object.name);
    const report = this.report.part();
    const { kind, id, name, address } = object;
    const event = { object: { key, kind, id, name, address } };
    this.parts.onEvent?.({ type: 'object-begun', ...event });
    const ended = once((outcome: Outcome) =>
      this.parts.onEvent?.({ type: 'object-ended', ...event, outcome, counts: report.objectCounts() }),
    );
    try {
      const owned = await this.takeObject(object, key, report);
      if (owned === null) ended(report.outcomeOf(key));
      else await this.read(object, key, owned, report, ended);
    } catch (error) {
      if (!this.parts.signal.aborted) this.fatal.abort(error);
      ended('Stopped');
      throw error;
    } finally {
      this.inProgress.delete(object.name);
      this.objectsDone += 1;
      this.report.join(report);
      this.reportProgress();
    }
  }

  /** `null` when another run works on the object. */
  private async takeObject(object: ProtectedObject, key: string, report: BackupReport): Promise<OwnedObject | null> {
    try {
      return await this.ownership.own(key);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'locked') throw error;
      report.failed({ key, object }, error.message);
      return null;
    }
  }

  /**
   * Reads an object as far as that goes; what was read waits for a commit, and the object is given back with it.
   * @param ended called when it is committed: before that nothing of it is in the restore point
   */
  private async read(
    object: ProtectedObject,
    key: string,
    owned: OwnedObject,
    report: BackupReport,
    ended: (outcome: Outcome) => void,
  ): Promise<void> {
    const { catalog, source } = this.parts;
    const { run, committer, signal } = this;
    const state = await catalog.object(key);
    const revision = state?.revision ?? (await catalog.revisionOf(key));
    const changes = new ObjectChanges(object, key, revision, catalog, state !== null);
    const reportProgress = () => this.reportProgressIfDue();
    const willEnd = () => !this.fatal.signal.aborted && !isLeft(this.parts.signal);
    const reported = state === null ? 0 : await reportedRevision(catalog, this.earlier.objects, state);
    if (state !== null && state.address !== object.address) this.listed.moved.push(asItWas(state));
    if (owned.lostRevision !== null) report.lostRevision({ key, object }, owned.lostRevision, revision);
    committer.join(changes, owned);
    try {
      await backUpObject(
        { run, catalog, source, job: this.job.id, committer, report, signal, willEnd, reportProgress },
        changes,
        state,
        reported,
      );
    } catch (error) {
      if (signal.aborted) report.stopped(changes);
      if (signal.aborted || isFatal(error)) throw error;
      report.failed(changes, reasonOf(error));
      if (!changes.isKnown && changes.count === 0) {
        committer.drop(changes);
        return ended(report.outcomeOf(key));
      }
    }
    const uncommitted = () => (this.parts.signal.aborted ? 'Stopped' : 'Failed');
    await committer.finish(changes, (isCommitted) => ended(isCommitted ? report.outcomeOf(key) : uncommitted()));
  }

  private async end(selection: Selection): Promise<BackupResult> {
    const { counts, findings } = this.report;
    const isStopped = this.parts.signal.aborted;
    this.report.clocks({ store: this.run.skewMs, source: this.parts.source.skewMs?.() ?? null });
    if (!isStopped && counts.objects === 0 && findings.failures.length === 0)
      this.report.failure(null, NOTHING_COVERED);
    const carried = await this.carry(selection, isStopped);
    this.reportUnknown();
    const outcome = this.outcome(isStopped);
    let ended: RunEnd | null = null;
    await this.committer.end(() => {
      const objects = this.objectsOfEnd(carried);
      const found = { ...findings, objects: this.report.flagsOf(objects) };
      return () => {
        const finishedAt = this.now();
        const { bytesStored } = this.run;
        ended = { outcome, finishedAt, counts: { ...counts, bytesStored }, objects, findings: found };
        return ended;
      };
    });
    if (ended === null) throw new EngineError('run-closed', `The run ${this.run.id} could not be ended.`);
    return { run: this.run.id, ...(ended as RunEnd) };
  }

  private outcome(isStopped: boolean): Outcome {
    if (isStopped) return 'Stopped';
    return this.isListBroken ? 'Failed' : outcomeOf(this.report.findings, this.report.counts);
  }

  /** A run that read nothing is no restore point, and has no objects. */
  private objectsOfEnd(carried: readonly CarriedObject[]): RunEnd['objects'] {
    const read = this.committer.revisions();
    return read.length === 0 ? [] : [...read, ...carried.map(({ object }) => [object.key, object.revision] as const)];
  }

  /** What the last restore point had and this run did not read; what of it is missing is said. */
  private async carry(selection: Selection, isStopped: boolean): Promise<CarriedObject[]> {
    const { report, listed } = this;
    const { carried, formerSites } = await carriedObjects(this.parts.catalog, this.earlier, selection, listed, (key) =>
      this.stateOf(key),
    );
    if (Object.keys(formerSites).length > 0) report.findings.formerSites = formerSites;
    for (const { object, flag, isNews } of carried) {
      report.flags.set(object.key, flag);
      if (isNews) report.failure(object.name, missing(object), object.key);
    }
    const unreached = carried.filter(({ object, flag }) => flag === 'unread' && !listed.keys.has(object.key)).length;
    if (this.isListBroken && !isStopped)
      report.failure(
        null,
        `${LISTING_BROKE_OFF} ${this.earlier.objects.size === 0 ? '' : notReached(unreached)}`.trim(),
      );
    return carried;
  }

  private stateOf(key: string): ReadState {
    if (!this.committer.has(key)) return 'not';
    return this.report.flags.has(key) ? 'partly' : 'whole';
  }

  /** After all other failures: there may be one of each mailbox. */
  private reportUnknown(): void {
    const { keys, news } = unknownObjects(this.earlier, this.listed);
    for (const { key, name, message } of news) this.report.failure(name, `${message} This is said once.`, key);
    if (keys.length > 0) this.report.findings.unknown = keys;
  }

  private reportProgressIfDue(): void {
    if (performance.now() - this.progressReportedMs > PROGRESS_EVERY_MS) this.reportProgress();
  }

  private reportProgress(): void {
    this.progressReportedMs = performance.now();
    const { itemsRead, bytesRead } = this.report.total();
    this.parts.onEvent?.({
      type: 'progress',
      what: [...this.inProgress].join(', '),
      done: this.objectsDone,
      total: this.parts.source.total ?? null,
      unit: 'objects',
      items: itemsRead,
      bytes: bytesRead,
      bytesStored: this.run.bytesStored,
    });
  }
}

/** Whether another process does the run. */
const isLeft = ({ reason }: AbortSignal) => reason instanceof EngineError && reason.code === 'run-closed';

/** Leaves a run without an end where another process does it. */
function throwIfLeft(signal: AbortSignal): void {
  if (isLeft(signal)) throw signal.reason;
}

/** An object ends once, whichever of what can end it comes first. */
function once(report: (outcome: Outcome) => void): (outcome: Outcome) => void {
  let isOver = false;
  return (outcome) => {
    if (!isOver) report(outcome);
    isOver = true;
  };
}

const notReached = (count: number) =>
  `Of the objects of the last restore point ${count.toLocaleString('en')} were not reached; they stay as they were.`;

/** Said once, when it is found. */
function missing({ kind, name, address }: ProtectedObject): string {
  const what = `The ${kind} ${name}${address === null || address === name ? '' : ` (${address})`}`;
  return `${what} was in the last backup and is not among what the job finds now: a licence may have ended, or a permission, or it was deleted. It stays in the backup as it was last, and is not read any more. This is said once.`;
}

/** An object without its cursors. */
function asItWas({ organizationId, kind, id, name, owner, address }: ProtectedObject): ProtectedObject {
  return { organizationId, kind, id, name, owner, address };
}

/** What the repository or catalog cannot do for one object, they cannot do for the next. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof EngineError)) return true;
  return ['store-refused', 'store-full', 'store-unreachable', 'run-closed', 'locked', 'damaged'].includes(error.code);
}
