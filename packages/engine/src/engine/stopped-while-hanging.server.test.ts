import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ItemScope } from '../browse/item-scope.ts';
import {
  backUp,
  catchUp,
  downloadZip,
  erase,
  exportItems,
  extendLocks,
  indexTexts,
  listParts,
  openPart,
  openPicture,
  openSource,
  planErasure,
  planRestore,
  preview,
  previewThread,
  proveRestorable,
  prune,
  rebuild,
  restore,
  restoreAttachment,
  type Stored,
  verify,
  type Work,
} from '../engine.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';
import { createRepository, openRepository } from '../repository/open-repository.ts';
import { packObjectName } from '../repository/packs/pack-builder.ts';
import { journalFolder } from '../restore/journal-files.ts';
import { RESTORE_OPTIONS } from '../restore/restore-options.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { gathered } from '../testing/gathered.ts';
import { connectedCatalog } from '../testing/graph/connected-catalog.ts';
import { HangingStore, type StoreOperation } from '../testing/hanging-store.ts';
import { CHEAP, PASSWORD, testFolder } from '../testing/test-parts.ts';

const LIMIT_MS = 1_000;

const { tenant, connection, catalog } = await connectedCatalog();

const atRest = (): Work => ({ signal: new AbortController().signal, onEvent: () => undefined });

/** What a person of the tenant has, in a repository whose store may hang. */
class Bed {
  readonly store: HangingStore;
  readonly folder: string;
  readonly person: string;
  private constructor(store: HangingStore, folder: string, person: string) {
    this.store = store;
    this.folder = folder;
    this.person = person;
  }

  static async create(): Promise<Bed> {
    const folder = await testFolder();
    const store = new HangingStore(await openFolderStore(join(folder, 'repository')));
    await createRepository(store, PASSWORD, { passwordCost: CHEAP });
    const person = tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id ?? '';
    const bed = new Bed(store, folder, person);
    expect(await bed.backUp(await bed.stored(), atRest())).toMatchObject({ outcome: 'Success' });
    await indexTexts(await bed.stored(), atRest());
    return bed;
  }

  /** Opened again, so that nothing of it is in memory. */
  async stored(): Promise<Stored> {
    const repository = await openRepository(this.store, PASSWORD, { passwordCost: CHEAP });
    return { repository, catalog: await catalog.repository(repository.id) };
  }

  async backUp(stored: Stored, work: Work) {
    const source = await openSource(connection, { keepExchangeStream: false });
    const include = [{ type: 'user', id: this.person }] as const;
    const kinds = ['mailbox', 'chats'] as const;
    const selection = { scope: 'selected', kinds, include, exclude: [], personalSites: false } as const;
    return backUp(stored, source, { job: { id: 'job', name: 'Job', selection } }, work);
  }

  async scope(stored: Stored, kind: 'mailbox' | 'chats' = 'mailbox'): Promise<ItemScope> {
    const key = stored.repository.objectKey({ organizationId: connection.tenantId, kind, id: this.person });
    const object = await stored.catalog.object(key);
    if (object === null) throw new Error(`The ${kind} was not stored.`);
    return { object, revision: object.revision, items: null };
  }

  async item(stored: Stored, { object, revision }: ItemScope, kind: ItemKind): Promise<ItemVersion> {
    for await (const item of stored.catalog.walk(object.key, revision, null))
      if (item.kind === kind && (kind !== 'message' || item.details.hasAttachments === true)) return item;
    throw new Error(`There is no ${kind} with attachments.`);
  }

  /** A pack that no journal names, a day after it was written. */
  async strayPack(): Promise<void> {
    await this.store.create(packObjectName(randomBytes(32).toString('hex')), Buffer.alloc(1));
    await this.store.age('packs/');
  }

  async locks(): Promise<number> {
    return (await gathered((await this.stored()).repository.listLocks())).length;
  }

  /** What hung comes to its end, and then nothing keeps others out. */
  async recover(): Promise<void> {
    this.store.goOn();
    await expect.poll(() => this.locks()).toBe(0);
  }
}

type Verb = (bed: Bed, stored: Stored, work: Work) => Promise<unknown>;

const restoring = async (bed: Bed, stored: Stored) => ({
  scope: await bed.scope(stored),
  options: { ...RESTORE_OPTIONS, into: 'Restored' },
  journals: journalFolder(join(bed.folder, 'restores')),
});
const exporting =
  (format: 'pst' | 'zip' | 'json', kind?: 'chats'): Verb =>
  async (bed, stored, work) =>
    exportItems(
      stored,
      { scope: await bed.scope(stored, kind), path: join(bed.folder, `all.${format}`), format },
      work,
    );
const ofMessage =
  (
    begin: (stored: Stored, order: { object: ItemScope['object']; item: ItemVersion }, work: Work) => Promise<unknown>,
  ) =>
  async (bed: Bed, stored: Stored, work: Work) => {
    const scope = await bed.scope(stored);
    return begin(stored, { object: scope.object, item: await bed.item(stored, scope, 'message') }, work);
  };
const erasing: Verb = async (bed, stored, work) =>
  erase(stored, { subject: { type: 'user', id: bed.person }, reason: 'A request' }, work);
const backingUp: Verb = (bed, stored, work) => {
  tenant.evolve(40);
  return bed.backUp(stored, work);
};
const pruning: Verb = async (bed, stored, work) => {
  await bed.strayPack();
  return prune(stored, { keepDays: 0 }, work);
};
const shortening: Verb = async (bed, stored, work) => {
  await bed.store.age('journals/');
  await bed.backUp(stored, atRest());
  const { prune: pruneWith } = await import('../prune/prune.ts');
  return pruneWith(stored.repository, stored.catalog, { keepDays: 0, runsASegment: 1, signal: work.signal });
};
const proving: Verb = async (_bed, stored, work) =>
  proveRestorable(stored, { job: 'job', connect: async () => connection }, work);
const rebuilding: Verb = (_bed, stored, work) => rebuild(stored, {}, work);
const verifying: Verb = (_bed, stored, work) => verify(stored, { depth: 'full' }, work);
const extending: Verb = async (bed, _stored, work) => {
  bed.store.lockDays = 30;
  bed.store.aheadMs = 25 * 86_400_000;
  const stored = await bed.stored();
  return extendLocks(stored, work).finally(() => {
    bed.store.lockDays = undefined;
    bed.store.aheadMs = 0;
  });
};

/** Browsing, searching, comparing and weighing ask the catalog alone, and no store. */
const HANGS: [name: string, operation: StoreOperation, names: RegExp, verb: Verb][] = [
  ['backup', 'create', /^locks/, backingUp],
  ['backup', 'list', /^locks/, backingUp],
  ['backup', 'list', /^journals/, backingUp],
  ['backup', 'list', /^claims/, backingUp],
  ['backup', 'create', /^journals.*0001$/, backingUp],
  ['backup', 'create', /^claims/, backingUp],
  ['backup', 'create', /^packs/, backingUp],
  ['backup', 'create', /^journals.*0002$/, backingUp],
  ['backup', 'delete', /^claims/, backingUp],
  ['backup', 'delete', /^locks/, backingUp],
  ['indexing texts', 'read', /^packs/, (_bed, stored, work) => indexTexts(stored, work)],
  ['following', 'list', /^journals/, (_bed, stored, work) => catchUp(stored, work)],
  ['verify', 'create', /^locks/, verifying],
  ['verify', 'list', /^packs/, verifying],
  ['verify', 'read', /^packs/, verifying],
  ['verify', 'read', /^journals/, verifying],
  ['verify', 'delete', /^locks/, verifying],
  ['rebuild', 'list', /^journals/, rebuilding],
  ['rebuild', 'read', /^journals/, rebuilding],
  ['rebuild', 'list', /^packs/, rebuilding],
  ['extending locks', 'lockedUntil', /^packs/, extending],
  ['extending locks', 'extendLock', /^packs/, extending],
  ['proof', 'read', /^packs/, proving],
  [
    'restore',
    'read',
    /^packs/,
    async (bed, stored, work) => restore(stored, connection, await restoring(bed, stored), work),
  ],
  [
    'plan',
    'read',
    /^packs/,
    async (bed, stored, work) => planRestore(stored, connection, await restoring(bed, stored), work),
  ],
  ['PST', 'read', /^packs/, exporting('pst')],
  ['ZIP', 'read', /^packs/, exporting('zip')],
  ['JSON', 'read', /^packs/, exporting('json')],
  ['pages', 'read', /^packs/, exporting('zip', 'chats')],
  [
    'download',
    'read',
    /^packs/,
    async (bed, stored, { signal }) => {
      const download = await downloadZip(stored, await bed.scope(stored, 'chats'), signal);
      for await (const _ of download.open()) signal.throwIfAborted();
    },
  ],
  ['preview', 'read', /^packs/, ofMessage((stored, order, { signal }) => preview(stored, order, signal))],
  [
    'thread',
    'read',
    /^packs/,
    async (bed, stored, { signal }) => {
      const scope = await bed.scope(stored, 'chats');
      const item = await bed.item(stored, scope, 'chat-message');
      return previewThread(stored, { ...scope, item, limit: 10 }, signal);
    },
  ],
  ['parts', 'read', /^packs/, ofMessage((stored, { item }, { signal }) => listParts(stored, item, signal))],
  ['picture', 'read', /^packs/, ofMessage((stored, { item }, { signal }) => openPicture(stored, item, 'mime', signal))],
  [
    'a part',
    'read',
    /^packs/,
    ofMessage(async (stored, { item }, { signal }) => {
      const { bytes } = await openPart(stored, item, 'mime', signal);
      for await (const _ of bytes()) signal.throwIfAborted();
    }),
  ],
  [
    'attachment',
    'read',
    /^packs/,
    ofMessage((stored, order, work) => restoreAttachment(stored, connection, { ...order, part: 'attachment/0' }, work)),
  ],
  ['prune', 'create', /^locks/, pruning],
  ['prune', 'list', /^journals/, pruning],
  ['prune', 'list', /^packs/, pruning],
  ['prune', 'create', /^journals/, pruning],
  ['prune', 'delete', /^packs/, pruning],
  ['prune', 'delete', /^locks/, pruning],
  ['shortening journals', 'create', /^segments/, shortening],
  ['shortening journals', 'list', /^segments/, pruning],
  [
    'planning an erasure',
    'list',
    /^journals/,
    (bed, stored, { signal }) => planErasure(stored, { type: 'user', id: bed.person }, signal),
  ],
  ['erasure', 'list', /^journals/, erasing],
  ['erasure', 'create', /^locks/, erasing],
  ['erasure', 'create', /^journals.*0001$/, erasing],
  ['erasure', 'create', /^(journals|segments).*-0001$/, erasing],
];

/** What has only its lock to give back is done. */
const DONE = 'delete ^locks';

test('every piece of work ends within a second of the signal while its store does not answer, and what it left under way does no harm', async () => {
  const bed = await Bed.create();
  const late: string[] = [];
  for (const [name, operation, names, verb] of HANGS) {
    const what = `${name}, ${operation} ${names.source}`;
    const stop = () => stoppedWhileHanging(bed, operation, names, verb);
    let { afterMs, end } = await stop();
    // Whatever else the machine does can only make it slower.
    for (let again = 0; again < 2 && (afterMs ?? 0) > LIMIT_MS; again += 1) {
      await bed.recover();
      ({ afterMs, end } = await stop());
    }
    if (afterMs === null) late.push(`${what}: nothing hung (${end})`);
    else if (afterMs > LIMIT_MS) late.push(`${what}: ended ${Math.round(afterMs)} ms after the signal`);
    else if (end !== 'stopped' && !what.endsWith(DONE)) late.push(`${what}: ended with ${end}`);
    // What is written late is written under its lock.
    if (operation === 'create' && names.source !== '^locks') expect([what, await bed.locks()]).toEqual([what, 1]);
    await bed.recover();
  }
  expect(late).toEqual([]);
  const found = await verify(await bed.stored(), { depth: 'full' }, atRest());
  expect(found).toMatchObject({ packFaults: [], journalFaults: [], damagedItems: [], mismatch: null });
  const next = await bed.backUp(await bed.stored(), atRest());
  expect(next).toMatchObject({ outcome: 'Success', findings: { alerts: [] } });
}, 120_000);

/** Stops work when something of it hangs. @returns how long it took from then on, `null` where nothing hung, and how it ended */
async function stoppedWhileHanging(bed: Bed, operation: StoreOperation, names: RegExp, verb: Verb) {
  const stored = await bed.stored();
  const stopping = new AbortController();
  const reason = new EngineError('stopped', 'Stopped on request.');
  let stoppedMs: number | null = null;
  bed.store.onHang = () => {
    stoppedMs ??= performance.now();
    stopping.abort(reason);
  };
  bed.store.hang(operation, names);
  const work = { signal: stopping.signal, onEvent: () => undefined };
  const ended = verb(bed, stored, work).then(endOf, (error: unknown) => (error === reason ? 'stopped' : `${error}`));
  const given = Promise.withResolvers<string>();
  const timer = setTimeout(given.resolve, 10_000, 'no end within 10 seconds');
  const end = await Promise.race([ended, given.promise]);
  const endedMs = performance.now();
  clearTimeout(timer);
  return { afterMs: stoppedMs === null ? null : endedMs - stoppedMs, end };
}

/** A restore says so in its result, and what indexes texts says how many it did. */
function endOf(result: unknown): string {
  if (typeof result === 'number') return 'stopped';
  return typeof result === 'object' && result !== null && 'outcome' in result && result.outcome === 'Stopped'
    ? 'stopped'
    : JSON.stringify(result);
}
