import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { AcceptedLosses } from '../model/accepted-losses.ts';
import { EngineError } from '../model/engine-error.ts';
import { type Commit, emptyCommit, isPlain, type RunHeader, startOf } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';
import { firstMissing, partsOf } from './first-missing.ts';
import { endsRun } from './journal-gaps.ts';
import { isAccepted, type JournalFault, missingText } from './lost-journals.ts';
import { LostRevisions } from './lost-revisions.ts';

/** A run whose commits are to be applied: what the catalog has of it, and the last one that the store lists (0: not asked). */
interface RunToApply {
  run: string;
  applied: number;
  listed: number;
  kind?: RunHeader['kind'];
  /** The last commit of a gap that was recorded. */
  passed?: number;
  /** Nothing that comes after it is of the run. */
  isEnded?: boolean;
}

type CommitFault = JournalFault & { lost: { to: number } };

interface Waiting {
  position: RunToApply;
  commit: Commit;
}

export interface ApplierOptions {
  /** What is lost is passed over and named, instead of thrown: for callers that know of the loss and have no copy. */
  isOverGaps?: boolean;
  /** What was accepted as lost before: it is passed over, and not named. */
  accepted?: AcceptedLosses;
  /** What an applier before this one found lost. */
  lostRevisions?: LostRevisions;
  onCommit?: () => void;
  /** A catalog that was made over what was accepted as lost does not apply it when it comes back: a rebuild does. */
  isInUse?: boolean;
  /** All runs come in the order of their names: see `ApplyOptions`. */
  isInOrder?: boolean;
  /** Gathers commits and applies many at once: into a catalog that is being made, to which no other program brings anything. */
  isGathering?: boolean;
  /** When aborted, a wait for the exchange of the catalog ends, and fails with its reason. */
  signal?: AbortSignal;
}

/** So many commits, or changes of items and chunks, are applied at once. */
const GATHERED_COMMITS = 2_000;
const GATHERED_CHANGES = 20_000;

const ADVICE =
  'Bring the journals of the repository back from a copy. Without one, a rebuild that accepts the loss goes on without it.';

/**
 * Applies what the catalog does not have of some runs. Runs overlap: a commit waits until the revisions it follows are there, whichever
 * run brings them (format, 6). The memory contains the revisions of all objects, and one commit of each run that waits.
 */
export class RunApplier {
  commits = 0;
  restorePoints = 0;
  /** Revisions that two runs brought, neither knowing of the other; both are stored. */
  readonly doubled: DoubledRevision[] = [];
  /** What is passed over. */
  readonly lost: JournalFault[] = [];
  private readonly repository: Repository;
  private readonly catalog: RepositoryCatalog;
  private readonly isOverGaps: boolean;
  private readonly accepted: AcceptedLosses;
  readonly lostRevisions: LostRevisions;
  private readonly onCommit: () => void;
  private readonly signal: AbortSignal | undefined;
  private readonly isGathering: boolean;
  private readonly isInUse: boolean;
  private readonly isInOrder: boolean;
  /** Commits that were read, and are applied soon. */
  private gathered: Commit[] = [];
  private gatheredChanges = 0;
  /** Those before them: the database works on them while the next ones are read. */
  private applying: Promise<void> = Promise.resolve();
  private readonly revisions = new Map<string, number>();
  /** Revisions that are in no journal, and without which what waited for them goes on. */
  private readonly passed = new Set<string>();
  /** Runs that wait for an object to come to a revision. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** The last commits of runs that others name as known to them. */
  private readonly named = new Map<string, number>();

  constructor(repository: Repository, catalog: RepositoryCatalog, options: ApplierOptions = {}) {
    this.repository = repository;
    this.catalog = catalog;
    this.isOverGaps = options.isOverGaps ?? false;
    this.accepted = options.accepted ?? new AcceptedLosses([]);
    this.lostRevisions = options.lostRevisions ?? new LostRevisions(this.accepted);
    this.onCommit = options.onCommit ?? (() => undefined);
    this.signal = options.signal;
    this.isInUse = options.isInUse ?? false;
    this.isInOrder = options.isInOrder ?? false;
    // Over gaps revisions are not those that the commits say.
    this.isGathering = options.isGathering === true && !this.isOverGaps && this.accepted.isEmpty;
  }

  /** Applies as much of a run as can be, and what waited for it. @throws `damaged` for a journal with a gap */
  async applyRun(run: RunToApply): Promise<void> {
    const waits = [...this.waiting.values()].flat().some(({ position }) => position.run === run.run);
    if (!waits) await this.applyAll([{ position: run, commit: null }]);
  }

  /** Applies what waits for revisions that another program has brought to the same catalog meanwhile. */
  async resumeWaiting(): Promise<void> {
    await this.applyGathered();
    for (const missing of [...this.waiting.keys()]) {
      const { key, revision } = partsOf(missing);
      if (await this.has(key, revision)) await this.applyAll(this.removeWaiting(missing));
    }
  }

  /** Whether a run still waits for a revision, or knew a commit that was not read. */
  async isMissing(): Promise<boolean> {
    await this.applyGathered();
    return this.waiting.size > 0 || (await this.unread()).length > 0;
  }

  /** @throws `damaged` when a run still waits for a revision that is in no journal, or knew a commit that is not there */
  async finish(): Promise<void> {
    await this.applyGathered();
    while (this.waiting.size > 0) await this.skipMissingRevision();
    for (const { run, sequence, found } of await this.unread())
      this.recordGap({
        run,
        fault: `a later run knew its commit ${sequence}, and ${found === 0 ? 'none is' : `commit ${found} is the last one`} there`,
        lost: { from: found + 1, to: sequence },
      });
  }

  /** Commits that others name as known to them, and of which none so late was applied. */
  private async unread(): Promise<{ run: string; sequence: number; found: number }[]> {
    const last = await this.catalog.lastCommits([...this.named.keys()]);
    return [...this.named]
      .map(([run, sequence]) => ({ run, sequence, found: last.get(run) ?? 0 }))
      .filter(({ run, sequence, found }) => found < sequence && !this.lost.some((one) => one.run === run));
  }

  /** Resolves when the database works on nothing of it any more, however that ended. */
  async settled(): Promise<void> {
    await this.applying.catch(() => undefined);
  }

  private async applyAll(first: readonly { position: RunToApply; commit: Commit | null }[]): Promise<void> {
    const ready = [...first];
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      const { position } = next;
      let commit = next.commit ?? (await this.next(position));
      while (commit !== null && !(await this.waits(position, commit))) {
        ready.push(...(await this.apply(position, commit)));
        commit = await this.next(position);
      }
    }
  }

  /** Applies what waits for a revision that is in no journal without it, the earliest run first. */
  private async skipMissingRevision(): Promise<void> {
    const missing = firstMissing(this.waiting);
    const runs = this.removeWaiting(missing);
    const { key, revision } = partsOf(missing);
    // What it builds on may be lost further back than that, all the more when it is known already that the last of it is.
    const lost = { object: key, first: (await this.catalog.revisionOf(key)) + 1, revision };
    this.lostRevisions.add(lost);
    for (const { commit } of runs)
      this.recordGap({
        run: commit.run,
        fault: `commit ${commit.sequence} builds on revision ${revision} of the object ${key}, which is in no journal`,
        lost,
      });
    this.passed.add(missing);
    // Each may wait for other revisions.
    await this.applyAll(runs.toReversed());
  }

  private recordGap(fault: JournalFault): void {
    if (isAccepted(fault, this.accepted)) return;
    if (!this.isOverGaps) {
      const text = `Journal of run ${fault.run}: ${fault.fault}. ${ADVICE}`;
      throw new EngineError('damaged', text, { remedy: 'accept-loss' });
    }
    this.lost.push(fault);
  }

  private async next(position: RunToApply): Promise<Commit | null> {
    if (position.isEnded === true) return null;
    for (let sequence = Math.max(position.applied, position.passed ?? 0) + 1; ; sequence = (position.passed ?? 0) + 1) {
      const commit = await this.find(position, sequence);
      if (commit !== null) return commit;
      if (sequence > position.listed) return position.applied < position.listed ? lostEnd(position) : null;
      const gap = await this.gapAt(position, sequence);
      this.recordGap(gap);
      position.passed = gap.lost.to;
      if (sequence === 1) return lostBeginning(position);
    }
  }

  private async find({ run, listed }: RunToApply, sequence: number): Promise<Commit | null> {
    try {
      return await this.repository.findCommit(run, sequence);
    } catch (error) {
      if (sequence > listed || !(error instanceof EngineError) || error.code !== 'damaged') throw error;
      return null;
    }
  }

  private async gapAt({ run, listed }: RunToApply, from: number): Promise<CommitFault> {
    if (await this.repository.hasCommit(run, from))
      return { run, fault: `commit ${from} cannot be read, although it is there`, lost: { from, to: from } };
    const missing = await this.repository.missingCommits(run, listed);
    const to = missing.find((range) => range[0] <= from && from <= range[1])?.[1] ?? from;
    return { run, fault: missingText(from, to, listed), lost: { from, to } };
  }

  private async waits(position: RunToApply, commit: Commit): Promise<boolean> {
    const own = new Map<string, number>();
    const isThere = async (key: string, revision: number) =>
      revision <= (own.get(key) ?? 0) || (await this.has(key, revision));
    for (const { key, revision } of commit.sections) {
      if (!(await isThere(key, revision - 1))) return this.wait(key, revision - 1, position, commit);
      own.set(key, revision);
    }
    for (const [key, revision] of commit.end?.objects ?? [])
      if (!(await isThere(key, revision))) return this.wait(key, revision, position, commit);
    return false;
  }

  private wait(key: string, revision: number, position: RunToApply, commit: Commit): true {
    const missing = `${key} ${revision}`;
    this.waiting.set(missing, [...(this.waiting.get(missing) ?? []), { position, commit }]);
    return true;
  }

  /** @returns the runs that waited for it */
  private async apply(position: RunToApply, commit: Commit): Promise<Waiting[]> {
    const { signal, isInOrder } = this;
    position.kind ??= commit.header?.kind;
    if (this.isInUse) await this.refuseReturned(commit);
    const isGathered = this.isGathering && this.isNext(commit);
    if (isGathered) await this.gather(commit);
    else await this.applyGathered();
    const isOverGaps = this.isOverGaps || commit.sequence > position.applied + 1 || this.lacksPassed(commit);
    const counted = await this.lostRevisions.without(commit, this.catalog);
    const doubled = isGathered
      ? []
      : await this.catalog.apply(counted, { isOverGaps, isInOrder, ...(signal === undefined ? {} : { signal }) });
    this.doubled.push(...doubled);
    position.applied = commit.sequence;
    position.isEnded = endsRun(commit);
    this.commits += 1;
    if (commit.end !== null && position.kind === 'backup') this.restorePoints += 1;
    for (const [run, sequence] of commit.follows) this.named.set(run, Math.max(sequence, this.named.get(run) ?? 0));
    this.onCommit();
    const storedAs = new Map(doubled.map((one) => [`${one.object} ${one.revision}`, one.storedAs]));
    return commit.sections.flatMap(({ key, revision }) => {
      const brought = storedAs.get(`${key} ${revision}`) ?? revision;
      this.revisions.set(key, Math.max(brought, this.revisions.get(key) ?? 0));
      return this.removeWaiting(`${key} ${brought}`);
    });
  }

  /** What came back would be the newest state of its objects, over all that was read since. @throws `damaged` */
  private async refuseReturned({ run, sequence, sections }: Commit): Promise<void> {
    if (!this.accepted.hasCommits(run, sequence, sequence)) return;
    for (const { key, revision } of sections)
      if (revision <= (await this.catalog.revisionOf(key)))
        throw new EngineError(
          'damaged',
          `Commit ${sequence} of run ${run}, which was accepted as lost, is in ${this.repository.description} again. Rebuild the catalog: then what it says is in its place.`,
        );
  }

  /** Whether a commit can be applied with others: it is plain, and each of its revisions is the next one. */
  private isNext(commit: Commit): boolean {
    const revisions = new Map<string, number>();
    return (
      isPlain(commit) &&
      commit.sections.every(({ key, revision }) => {
        const before = revisions.get(key) ?? this.revisions.get(key) ?? 0;
        revisions.set(key, revision);
        return revision === before + 1;
      })
    );
  }

  private async gather(commit: Commit): Promise<void> {
    this.gathered.push(commit);
    for (const { changes } of commit.sections) this.gatheredChanges += changes.length;
    for (const { chunks } of commit.packs) this.gatheredChanges += chunks.length;
    if (this.gathered.length >= GATHERED_COMMITS || this.gatheredChanges >= GATHERED_CHANGES) await this.sendGathered();
  }

  private async applyGathered(): Promise<void> {
    await this.sendGathered();
    await this.applying;
  }

  /** Waits for those before them alone: one batch is with the database at a time. */
  private async sendGathered(): Promise<void> {
    const commits = this.gathered;
    [this.gathered, this.gatheredChanges] = [[], 0];
    await this.applying;
    const { signal } = this;
    if (commits.length === 0) return;
    this.applying = this.catalog.applyMany(commits, signal === undefined ? {} : { signal });
    // Who comes next gets its failure.
    this.applying.catch(() => undefined);
  }

  /** Whether it builds on what is lost. */
  private lacksPassed({ sections, end }: Commit): boolean {
    return (
      sections.some(({ key, revision }) => this.passed.has(`${key} ${revision - 1}`)) ||
      (end?.objects ?? []).some(([key, revision]) => this.passed.has(`${key} ${revision}`))
    );
  }

  private removeWaiting(missing: string): Waiting[] {
    const runs = this.waiting.get(missing) ?? [];
    this.waiting.delete(missing);
    return runs;
  }

  /** Others may bring revisions to the same catalog meanwhile: what is not known here is asked for, each time again. */
  private async has(key: string, revision: number): Promise<boolean> {
    if (revision <= (this.revisions.get(key) ?? 0) || this.passed.has(`${key} ${revision}`)) return true;
    await this.applyGathered();
    const present = await this.catalog.revisionOf(key);
    this.revisions.set(key, present);
    return revision <= present;
  }
}

/** The first commit that the catalog gets for a run of which only the id is known, so that the others can follow. */
function lostBeginning({ run }: RunToApply): Commit {
  const header = { id: run, kind: 'backup', job: '', jobName: '(lost)', organizationId: '' } as const;
  return { ...emptyCommit(run, 1), header: { ...header, startedAt: startOf(run) } };
}

/** The same for the last one: no run looks for it any more. */
function lostEnd({ run, listed }: RunToApply): Commit {
  return { ...emptyCommit(run, listed), closedBy: run };
}
