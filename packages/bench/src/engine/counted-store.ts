import type { Commit } from '@keepwatch/engine/repository/commit';
import { commitName } from '@keepwatch/engine/repository/journals/journal-forms';
import type { ListedJournal } from '@keepwatch/engine/repository/repository';
import type { CreateOptions, ObjectFacts, ObjectStore } from '@keepwatch/engine/store/object-store';

/** S3 lists so many names with one request. */
const NAMES_A_REQUEST = 1_000;

/** Counts what a store is asked for, as requests of S3: a list is one for each thousand names. */
export class CountedRequests implements ObjectStore {
  readonly description: string;
  requests = 0;
  names = 0;
  bytesRead = 0;
  private readonly store: ObjectStore;

  constructor(store: ObjectStore) {
    this.store = store;
    this.description = store.description;
  }

  reset(): void {
    [this.requests, this.names, this.bytesRead] = [0, 0, 0];
  }

  create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    this.requests += 1;
    return this.store.create(name, bytes, options);
  }

  async read(name: string): Promise<Buffer> {
    this.requests += 1;
    const bytes = await this.store.read(name);
    this.bytesRead += bytes.length;
    return bytes;
  }

  readRange(name: string, start: number, length: number): Promise<Buffer> {
    this.requests += 1;
    this.bytesRead += length;
    return this.store.readRange(name, start, length);
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    this.requests += 1;
    let names = 0;
    for await (const facts of this.store.list(prefix)) {
      if (names > 0 && names % NAMES_A_REQUEST === 0) this.requests += 1;
      names += 1;
      this.names += 1;
      yield facts;
    }
  }

  delete(name: string): Promise<void> {
    this.requests += 1;
    return this.store.delete(name);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** A store whose journals are in memory until segments are made of them: a file for each of a million would take longer than what is measured. */
export class StagedJournals implements ObjectStore {
  readonly description = 'staged';
  private readonly store: ObjectStore;
  private readonly journals = new Map<string, Buffer>();

  constructor(store: ObjectStore) {
    this.store = store;
  }

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

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    if (!name.startsWith('journals/')) return this.store.create(name, bytes);
    this.journals.set(name, Buffer.from(bytes));
    return true;
  }

  read(name: string): Promise<Buffer> {
    const bytes = this.journals.get(name);
    return bytes === undefined ? this.store.read(name) : Promise.resolve(bytes);
  }

  readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.store.readRange(name, start, length);
  }

  list(prefix: string): AsyncIterable<ObjectFacts> {
    return this.store.list(prefix);
  }

  delete(name: string): Promise<void> {
    return this.store.delete(name);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
