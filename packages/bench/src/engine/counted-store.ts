import type { Commit } from '@keepwatch/engine/repository/commit';
import { commitName } from '@keepwatch/engine/repository/journals/journal-forms';
import type { ListedJournal } from '@keepwatch/engine/repository/repository';
import type { CreateOptions, ObjectFacts } from '@keepwatch/engine/store/object-store';
import { WrappedStore } from '@keepwatch/engine/store/wrapped-store';

/** S3 lists so many names with one request. */
const NAMES_A_REQUEST = 1_000;

/** Counts what a store is asked for, as requests of S3: a list is one for each thousand names. */
export class CountedRequests extends WrappedStore {
  requests = 0;
  names = 0;
  bytesRead = 0;

  reset(): void {
    [this.requests, this.names, this.bytesRead] = [0, 0, 0];
  }

  override create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    this.requests += 1;
    return this.store.create(name, bytes, options);
  }

  override async read(name: string): Promise<Buffer> {
    this.requests += 1;
    const bytes = await this.store.read(name);
    this.bytesRead += bytes.length;
    return bytes;
  }

  override readRange(name: string, start: number, length: number): Promise<Buffer> {
    this.requests += 1;
    this.bytesRead += length;
    return this.store.readRange(name, start, length);
  }

  override async *list(prefix: string): AsyncIterable<ObjectFacts> {
    this.requests += 1;
    let names = 0;
    for await (const facts of this.store.list(prefix)) {
      if (names > 0 && names % NAMES_A_REQUEST === 0) this.requests += 1;
      names += 1;
      this.names += 1;
      yield facts;
    }
  }

  override delete(name: string): Promise<void> {
    this.requests += 1;
    return this.store.delete(name);
  }
}

/** A store whose journals are in memory until segments are made of them: a file for each of a million would take longer than what is measured. */
export class StagedJournals extends WrappedStore {
  private readonly journals = new Map<string, Buffer>();

  /** As a list would show what was just written of a run. */
  journal(commits: readonly Commit[]): ListedJournal {
    const [{ run } = { run: '' }] = commits;
    const names = commits.map(({ sequence }) => commitName(run, sequence));
    return {
      run,
      commits: commits.length,
      stored: commits.length,
      isWhole: true,
      names,
      sizeBytes: 0,
      createdAt: new Date(0),
    };
  }

  clear(): void {
    this.journals.clear();
  }

  override async create(name: string, bytes: Uint8Array): Promise<boolean> {
    if (!name.startsWith('journals/')) return this.store.create(name, bytes);
    this.journals.set(name, Buffer.from(bytes));
    return true;
  }

  override read(name: string): Promise<Buffer> {
    const bytes = this.journals.get(name);
    return bytes === undefined ? this.store.read(name) : Promise.resolve(bytes);
  }
}
