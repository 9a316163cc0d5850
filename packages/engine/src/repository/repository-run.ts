import { countedSkew } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
import type { StoredContent } from '../model/items.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { type Commit, emptyCommit, type RunEnd, type RunHeader } from './commit.ts';
import type { BatchSink, Stored } from './content/batch-sink.ts';
import type { ContentReader } from './content/content-reader.ts';
import type { ContentWriter } from './content/content-writer.ts';
import type { Journals } from './journals/journal.ts';
import type {
  CommitContent,
  ListedSegment,
  LivingLock,
  NewContent,
  Replaced,
  RepositoryLock,
  Run,
  RunClaims,
} from './repository.ts';

export interface RunParts {
  header: RunHeader;
  journals: Journals;
  sink: BatchSink;
  writer: ContentWriter;
  reader: ContentReader;
  index: ChunkIndex;
  lock: RepositoryLock;
  claims: RunClaims;
  /** Gives the lock back, should it be the run's own. */
  release(): Promise<void>;
}

/** The writing half of a run: one journal, one sink of chunks, one lock. */
export class RepositoryRun implements Run {
  readonly id: string;
  readonly claims: RunClaims;
  hasFailed = false;
  private readonly parts: RunParts;
  private sequence = 0;
  private isOver = false;
  private failure: unknown = null;
  private isReleased = false;

  constructor(parts: RunParts) {
    this.parts = parts;
    this.id = parts.header.id;
    this.claims = parts.claims;
  }

  get lock(): LivingLock {
    return this.parts.lock;
  }

  get lastSequence(): number {
    return this.sequence;
  }

  get skewMs(): number {
    return countedSkew(this.parts.lock.skewMs);
  }

  get bytesStored(): number {
    return this.parts.sink.bytesStored;
  }

  async write(contents: readonly NewContent[]): Promise<StoredContent[]> {
    const stored = await this.give(contents);
    this.hurry();
    return stored();
  }

  hurry(): void {
    this.parts.sink.hurry();
  }

  async give(contents: readonly NewContent[]): Promise<Stored> {
    this.checkLives();
    return this.parts.writer.give(contents);
  }

  async copyChunks(ids: readonly string[]): Promise<void> {
    this.checkLives();
    const places = await this.parts.index.locate(ids);
    for (const id of ids) {
      const bytes = await this.parts.reader.chunk(id, places.get(id) ?? []);
      await this.parts.sink.give([{ name: 'file', as: 'chunk-again', bytes }]);
    }
  }

  commit(what: CommitContent): Promise<Commit> {
    return this.append(what, null);
  }

  async replaceCommit(run: string, sequence: number, change: (commit: Commit) => Commit): Promise<Replaced | null> {
    this.checkLives();
    return this.parts.journals.replace(run, sequence, change, () => this.parts.lock.check());
  }

  async replaceInSegment(segment: ListedSegment, change: (commit: Commit) => Commit): Promise<Replaced> {
    this.checkLives();
    return this.parts.journals.segments.replace(segment, change, () => this.parts.lock.check());
  }

  async end({ end, ...what }: CommitContent & { end: () => RunEnd }): Promise<Commit> {
    const commit = await this.append(what, end);
    await this.abandon();
    return commit;
  }

  async abandon(): Promise<void> {
    this.isOver = true;
    if (this.isReleased) return;
    this.isReleased = true;
    this.parts.sink.end();
    await this.parts.release();
  }

  private async append(what: CommitContent, end: (() => RunEnd) | null): Promise<Commit> {
    this.checkLives();
    try {
      return await this.appendNext(what, end);
    } catch (error) {
      // Whether the commit was stored is not known: another one could leave a gap, or name packs that are lost.
      this.isOver = true;
      this.hasFailed = true;
      this.failure = error;
      throw error;
    }
  }

  private async appendNext(
    {
      sections = [],
      retiredPacks = [],
      erasedPacks = [],
      expiredBefore = null,
      expiredJobs = [],
      follows = [],
      damage = [],
    }: CommitContent,
    end: (() => RunEnd) | null,
  ): Promise<Commit> {
    const packs = await this.parts.sink.flush();
    this.parts.lock.check();
    this.sequence += 1;
    const commit: Commit = {
      ...emptyCommit(this.id, this.sequence),
      header: this.sequence === 1 ? this.parts.header : null,
      packs,
      sections,
      retiredPacks,
      erasedPacks,
      expiredBefore,
      expiredJobs,
      follows,
      damage,
      end: end?.() ?? null,
    };
    if (await this.parts.journals.append(commit)) {
      // From here on a process that presumes the run dead can close its journal; before, its lock alone excluded others.
      if (this.sequence === 1) await this.parts.lock.confirm();
      return commit;
    }
    throw new EngineError(
      'run-closed',
      `The run ${this.id} was presumed dead and closed by another process. Its commits are stored; start it again.`,
    );
  }

  private checkLives(): void {
    this.parts.lock.check();
    if (!this.isOver) return;
    // What ended it says more than that it has ended.
    const { failure } = this;
    const message = failure instanceof Error ? failure.message : `The run ${this.id} has ended. Start it again.`;
    throw new EngineError('run-closed', message, { cause: failure });
  }
}
