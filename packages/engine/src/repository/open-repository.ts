import { randomUUID } from 'node:crypto';
import { countedSkew } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Segment, StoredContent } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { type ChunkIndex, soundPlaces } from './chunk-index.ts';
import { type ChunkPlace, type Commit, newRunId, type RunHeader, type StoredPack } from './commit.ts';
import { ChunkSink } from './content/chunk-sink.ts';
import { Chunker } from './content/chunker.ts';
import { ContentReader } from './content/content-reader.ts';
import { ContentWriter } from './content/content-writer.ts';
import { beginGeneration, readGeneration } from './generation.ts';
import { type ChunkSizes, IDENTITY_NAME, type Identity, identityBytes, newIdentity, readIdentity } from './identity.ts';
import { Journals } from './journal.ts';
import {
  deriveKeys,
  keyedName,
  newRepositoryKey,
  PASSWORD_COST,
  type PasswordCost,
  type RepositoryKeys,
  readWrappedKey,
  unwrapKey,
  wrapKey,
} from './keys.ts';
import { claimObject } from './object-claims.ts';
import { packObjectName } from './packs/pack-builder.ts';
import { checkPack, type PackFinding } from './packs/pack-check.ts';
import type { PackingOptions } from './packs/pack-fillers.ts';
import type { ListedRun, LockHolder, LockWait, Repository, RepositoryLock, Run, RunOptions } from './repository.ts';
import { type LockPlace, listLocks, livingRuns, takeLock } from './repository-lock.ts';
import { RepositoryRun } from './repository-run.ts';

export interface RepositoryOptions {
  /** Named in journals and locks. */
  program?: string;
  now?: () => Date;
  /** How hard guessing the password is made. Lower it in tests alone. */
  passwordCost?: PasswordCost;
  /** At creation: how contents are cut. Other than usual in tests alone. */
  chunkSizes?: ChunkSizes;
  /** Which thread fills packs. Other than usual in tests alone. */
  packing?: PackingOptions;
}

const PASSWORD_CHARACTERS_MIN = 8;
/** Each costs whoever opens the repository with the wrong password some seconds at most, and so does one that a stranger put there. */
const KEYS_MAX = 32;

/**
 * Makes a repository in an empty place.
 * @throws `repository-exists`, `bad-request` for a password that is too short
 */
export async function createRepository(
  store: ObjectStore,
  password: string,
  options: RepositoryOptions = {},
): Promise<Repository> {
  checkPassword(password);
  const now = (options.now ?? (() => new Date()))();
  const identity = newIdentity(now, options.chunkSizes);
  const key = newRepositoryKey();
  // The key first: a crash between the two leaves a place in which a repository can still be made.
  const name = await addKey(store, key, identity.id, password, 'first', now, options.passwordCost);
  if (!(await store.create(IDENTITY_NAME, identityBytes(identity)))) {
    await store.delete(name);
    throw new EngineError(
      'repository-exists',
      `There is a repository in ${store.description} already. Open it, or choose another place.`,
    );
  }
  return new StoreRepository(store, identity, key, options);
}

/** @throws `no-repository`, `newer-repository`, `wrong-password`, `damaged` */
export async function openRepository(
  store: ObjectStore,
  password: string,
  options: RepositoryOptions = {},
): Promise<Repository> {
  const identity = await readIdentity(store);
  const found = await findKey(store, identity.id, password);
  if (found !== null) return new StoreRepository(store, identity, found.key, options);
  throw new EngineError(
    'wrong-password',
    `The password does not open the repository in ${store.description}. Nothing can be read without it; try the one that was set last.`,
  );
}

async function findKey(
  store: ObjectStore,
  id: string,
  password: string,
): Promise<{ name: string; key: Buffer } | null> {
  let damage: unknown = null;
  let tried = 0;
  for await (const { name } of store.list('keys/')) {
    tried += 1;
    if (tried > KEYS_MAX) throw tooManyKeys(store);
    try {
      const key = await unwrapKey(readWrappedKey(await store.read(name), name), id, password);
      if (key !== null) return { name, key };
    } catch (error) {
      // Another key may open it all the same; `not-found` is one that a password change has just deleted.
      if (!(error instanceof EngineError) || !['damaged', 'not-found'].includes(error.code)) throw error;
      if (error.code === 'damaged') damage ??= error;
    }
  }
  if (damage !== null) throw damage;
  return null;
}

function tooManyKeys(store: ObjectStore): EngineError {
  return new EngineError(
    'damaged',
    `There are more than ${KEYS_MAX} keys in ${store.description}, more than Keepwatch writes. Take away those that nobody added: 'passwords' lists them.`,
  );
}

async function addKey(
  store: ObjectStore,
  key: Buffer,
  id: string,
  password: string,
  label: string,
  createdAt: Date,
  cost: PasswordCost = PASSWORD_COST,
): Promise<string> {
  const name = `keys/${randomUUID()}`;
  const wrapped = await wrapKey(key, id, password, { label, createdAt, cost });
  await store.create(name, Buffer.from(`${JSON.stringify(wrapped, null, 2)}\n`));
  return name;
}

function checkPassword(password: string): void {
  if (password.length >= PASSWORD_CHARACTERS_MIN) return;
  throw new EngineError(
    'bad-request',
    `A repository's password needs at least ${PASSWORD_CHARACTERS_MIN} characters: without it nothing can ever be read, and with it everything.`,
  );
}

class StoreRepository implements Repository {
  readonly id: string;
  readonly description: string;
  private readonly store: ObjectStore;
  private readonly identity: Identity;
  private readonly key: Buffer;
  private readonly keys: RepositoryKeys;
  private readonly options: RepositoryOptions;
  private readonly program: string;
  private readonly journals: Journals;
  private readonly reader: ContentReader;

  constructor(store: ObjectStore, identity: Identity, key: Buffer, options: RepositoryOptions) {
    this.id = identity.id;
    this.description = store.description;
    this.store = store;
    this.identity = identity;
    this.key = key;
    this.keys = deriveKeys(key);
    this.options = options;
    this.program = options.program ?? 'keepwatch-engine';
    this.journals = new Journals(store, this.keys, this.program);
    this.reader = new ContentReader(store, this.keys);
  }

  objectKey({ organizationId, kind, id }: Pick<ProtectedObject, 'organizationId' | 'kind' | 'id'>): string {
    return keyedName(this.keys.chunkNames, ['object', organizationId, kind, id].join('\0')).toString('base64url');
  }

  async startRun(
    header: Omit<RunHeader, 'id' | 'startedAt'>,
    index: ChunkIndex,
    { under, wait }: RunOptions = {},
  ): Promise<Run> {
    const startedAt = this.now();
    const id = newRunId(startedAt);
    const lock = under ?? (await takeLock(this.place, 'shared', id, wait));
    const sink = new ChunkSink(this.store, this.keys, soundPlaces(index), this.options.packing);
    const chunker = new Chunker(this.keys.chunker, this.identity.chunker);
    return new RepositoryRun({
      header: { ...header, id, startedAt: new Date(startedAt.getTime() - countedSkew(lock.skewMs)) },
      journals: this.journals,
      sink,
      writer: new ContentWriter(sink, chunker, this.identity.chunker),
      reader: this.reader,
      index,
      lock,
      claim: (key) => claimObject(this.place, key, id),
      release: under === undefined ? () => lock.release() : async () => undefined,
    });
  }

  read(content: StoredContent, index: ChunkIndex, signal?: AbortSignal): AsyncIterable<Buffer> {
    return this.reader.read(content, index, signal);
  }

  segmentsOf(content: StoredContent, index: ChunkIndex): Promise<readonly Segment[]> {
    return this.reader.segmentsOf(content, index);
  }

  listRuns(after?: string): AsyncIterable<ListedRun> {
    return this.journals.list(after);
  }

  findCommit(run: string, sequence: number): Promise<Commit | null> {
    return this.journals.find(run, sequence);
  }

  hasCommit(run: string, sequence: number): Promise<boolean> {
    return this.journals.has(run, sequence);
  }

  generation(): Promise<string> {
    return readGeneration(this.store);
  }

  beginGeneration(): Promise<string> {
    return beginGeneration(this.store);
  }

  closeRun(run: string, after: number, by: string): Promise<Commit[]> {
    return this.journals.close(run, after, by);
  }

  async *listPacks(): AsyncIterable<{ name: string; sizeBytes: number; createdAt: Date }> {
    for await (const { name, ...facts } of this.store.list('packs/'))
      yield { ...facts, name: name.slice(name.lastIndexOf('/') + 1) };
  }

  checkPack(pack: StoredPack): Promise<PackFinding> {
    return checkPack(this.store, this.keys, pack);
  }

  async hasChunk(id: string, places: readonly ChunkPlace[]): Promise<boolean> {
    try {
      await this.reader.chunk(id, places);
      return true;
    } catch (error) {
      if (error instanceof EngineError && (error.code === 'damaged' || error.code === 'not-found')) return false;
      throw error;
    }
  }

  deletePack(name: string): Promise<void> {
    return this.store.delete(packObjectName(name));
  }

  deleteJournal(run: string): Promise<void> {
    return this.journals.delete(run);
  }

  lock(kind: RepositoryLock['kind'], wait?: LockWait): Promise<RepositoryLock> {
    return takeLock(this.place, kind, null, wait);
  }

  listLocks(): AsyncIterable<LockHolder> {
    return listLocks(this.place);
  }

  livingRuns(): Promise<ReadonlySet<string>> {
    return livingRuns(this.place);
  }

  async addPassword(password: string, label: string): Promise<void> {
    checkPassword(password);
    const keys: string[] = [];
    for await (const { name } of this.store.list('keys/')) keys.push(name);
    if (keys.length >= KEYS_MAX)
      throw new EngineError(
        'bad-request',
        `A repository has at most ${KEYS_MAX} passwords. Remove one that is not used any more.`,
      );
    await addKey(this.store, this.key, this.id, password, label, this.now(), this.options.passwordCost);
  }

  async changePassword(from: string, to: string): Promise<void> {
    const old = await findKey(this.store, this.id, from);
    if (old === null) throw new EngineError('wrong-password', 'The present password is not the one that was given.');
    checkPassword(to);
    await addKey(this.store, this.key, this.id, to, 'changed', this.now(), this.options.passwordCost);
    await this.store.delete(old.name);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private get place(): LockPlace {
    return { store: this.store, keys: this.keys, program: this.program };
  }

  private now(): Date {
    return (this.options.now ?? (() => new Date()))();
  }
}
