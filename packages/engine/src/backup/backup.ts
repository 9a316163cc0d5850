import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { forEachAtOnce } from '../model/in-order.ts';
import { type Outcome, outcomeOf } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { closeDeadRuns, LEASE_MS, runLease } from '../rebuild/close-dead-runs.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { Repository, Run } from '../repository/repository.ts';
import type { Selection, Source } from '../source/source.ts';
import { BackupReport } from './backup-report.ts';
import { Committer } from './committer.ts';
import { holdLease } from './lease.ts';
import { backUpObject, reasonOf } from './object-backup.ts';
import { ObjectChanges } from './object-changes.ts';

export interface BackupJob {
  id: string;
  name: string;
  selection: Selection;
}

export interface BackupProgress {
  objectsDone: number;
  /** Objects that are being read now. */
  objectNames: string[];
  itemsRead: number;
  bytesRead: number;
  bytesStored: number;
}

export interface BackupParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  source: Source;
  /** Aborted: what was read is committed, and the run ends as Stopped. */
  signal: AbortSignal;
  now?: () => Date;
  onProgress?: (progress: BackupProgress) => void;
  objectsAtOnce?: number;
}

export interface BackupResult extends RunEnd {
  run: string;
}

const OBJECTS_AT_ONCE = 4;
const TELL_EVERY_MS = 250;

/**
 * One run of a job: reads what changed in its objects since their last run, and ends in a restore point. A run that was killed at
 * any point has kept its commits; the next one goes on from them.
 *
 * @throws EngineError for what concerns the whole run before it could begin or store anything; all else is in the result
 */
export async function backUp(parts: BackupParts, job: BackupJob): Promise<BackupResult> {
  const { repository, catalog, source } = parts;
  await catchUp(repository, catalog);
  const header = { kind: 'backup', job: job.id, jobName: job.name, organizationId: source.organizationId } as const;
  const run = await repository.startRun(header, catalog);
  const lease = await holdLease(catalog, runLease(run.id), run.id, LEASE_MS);
  try {
    await closeDeadRuns(repository, catalog, run.id);
    return await new BackupRun(parts, run, lease.lost).work(job);
  } finally {
    await lease.release();
    await run.abandon();
  }
}

class BackupRun {
  private readonly parts: BackupParts;
  private readonly run: Run;
  private readonly now: () => Date;
  private readonly report = new BackupReport();
  private readonly committer: Committer;
  private readonly all: ObjectChanges[] = [];
  private readonly under = new Set<string>();
  private readonly signal: AbortSignal;
  private objectsDone = 0;
  private toldMs = 0;

  constructor(parts: BackupParts, run: Run, lost: AbortSignal) {
    this.parts = parts;
    this.run = run;
    this.now = parts.now ?? (() => new Date());
    this.committer = new Committer(run, parts.catalog, this.now);
    this.signal = AbortSignal.any([parts.signal, lost]);
  }

  async work({ selection }: BackupJob): Promise<BackupResult> {
    try {
      await forEachAtOnce(this.objects(selection), this.parts.objectsAtOnce ?? OBJECTS_AT_ONCE, (object) =>
        this.backUp(object),
      );
    } catch (error) {
      if (!this.parts.signal.aborted) {
        if (!(error instanceof EngineError) || isFatal(error)) throw error;
        this.report.failed(null, reasonOf(error));
      }
    }
    return this.end();
  }

  private async *objects(selection: Selection): AsyncGenerator<ProtectedObject> {
    for await (const found of this.parts.source.listObjects(selection, this.signal)) {
      if ('code' in found) this.report.alert(found.code, found.message);
      else yield found;
    }
  }

  private async backUp(object: ProtectedObject): Promise<void> {
    const { repository, catalog } = this.parts;
    const key = repository.objectKey(object);
    this.report.counts.objects += 1;
    const lease = await holdLease(catalog, key, this.run.id, LEASE_MS).catch((error: unknown) => {
      this.report.failed(object.name, reasonOf(error));
      return null;
    });
    if (lease === null) return;
    const known = await catalog.object(key);
    const changes = new ObjectChanges(object, key, known?.revision ?? 0, catalog);
    this.all.push(changes);
    this.committer.join(changes);
    this.under.add(object.name);
    try {
      await this.read(changes, lease.lost);
    } finally {
      this.under.delete(object.name);
      this.objectsDone += 1;
      this.tell();
      // Nobody may go on from a revision that is not committed yet.
      if (changes.count > 0) await this.committer.commit();
      await lease.release();
    }
  }

  private async read(changes: ObjectChanges, lost: AbortSignal): Promise<void> {
    const { catalog, source } = this.parts;
    const { run, committer, report } = this;
    const signal = AbortSignal.any([this.signal, lost]);
    try {
      await backUpObject(
        { run, catalog, source, committer, report, signal, tell: () => this.tellSometimes() },
        changes,
      );
    } catch (error) {
      if (this.signal.aborted || isFatal(error)) throw error;
      report.failed(changes.object.name, reasonOf(error));
    }
  }

  private async end(): Promise<BackupResult> {
    const outcome: Outcome = this.parts.signal.aborted
      ? 'Stopped'
      : outcomeOf(this.report.findings, this.report.counts);
    let ended: RunEnd | null = null;
    await this.committer.end(() => {
      const { counts, findings } = this.report;
      const objects = this.all
        .filter(({ revision }) => revision > 0)
        .map(({ key, revision }) => [key, revision] as const);
      ended = {
        outcome,
        finishedAt: this.now(),
        counts: { ...counts, bytesStored: this.run.bytesStored },
        objects,
        findings,
      };
      return ended;
    });
    if (ended === null) throw new EngineError('taken-over', `The run ${this.run.id} could not be ended.`);
    return { run: this.run.id, ...(ended as RunEnd) };
  }

  private tellSometimes(): void {
    if (performance.now() - this.toldMs > TELL_EVERY_MS) this.tell();
  }

  private tell(): void {
    this.toldMs = performance.now();
    const { itemsRead, bytesRead } = this.report.counts;
    const { bytesStored } = this.run;
    this.parts.onProgress?.({
      objectsDone: this.objectsDone,
      objectNames: [...this.under],
      itemsRead,
      bytesRead,
      bytesStored,
    });
  }
}

/** What the repository or catalog cannot do for one object, they cannot do for the next. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof EngineError)) return true;
  return ['store-refused', 'store-full', 'store-unreachable', 'taken-over', 'locked', 'damaged'].includes(error.code);
}
