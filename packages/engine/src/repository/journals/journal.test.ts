import { randomBytes } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NO_COUNTS } from '../../model/outcome.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { WrappedStore } from '../../store/wrapped-store.ts';
import { gathered } from '../../testing/gathered.ts';
import { KnownPacks } from '../../testing/known-packs.ts';
import { OddListStore } from '../../testing/odd-list-store.ts';
import { Random } from '../../testing/random.ts';
import { CHEAP, PASSWORD, testStore } from '../../testing/test-parts.ts';
import type { Commit, ObjectSection, RunEnd } from '../commit.ts';
import { createRepository, openRepository } from '../open-repository.ts';
import type { ListedSegment, LivingLock } from '../repository.ts';
import { seal, unseal } from '../sealed.ts';
import { commitName } from './journal-forms.ts';

const HEADER = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'o' } as const;
const END: RunEnd = {
  outcome: 'Success',
  finishedAt: new Date('2026-01-02T00:00:00Z'),
  counts: NO_COUNTS,
  objects: [['key', 1]],
  findings: { failures: [], lost: [], skipped: [], alerts: [] },
};
const SECTION: ObjectSection = {
  key: 'key',
  organizationId: 'o',
  kind: 'mailbox',
  id: 'ada',
  name: 'Ada\u2028"\n',
  owner: null,
  address: 'ada@contoso.example',
  revision: 1,
  at: new Date('2026-01-01T00:00:00Z'),
  changes: [
    {
      type: 'put',
      item: {
        id: 'i',
        kind: 'message',
        parentId: null,
        name: '\ud83d\ude00',
        sizeBytes: 3,
        modifiedAt: null,
        details: { from: 'x', isRead: true },
        contents: [
          { name: 'mime', sizeBytes: 3, segments: [['c', 0, 1], { base64: 76, end: 'lf', of: [['d', 1, 2]] }] },
        ],
      },
    },
    { type: 'remove', item: 'gone' },
    { type: 'lost', item: { id: 'l', kind: 'file', name: 'n', parentId: 'p', reason: 'r' } },
    { type: 'found', item: 'f' },
    { type: 'cursor', scope: 's', value: null },
  ],
};

async function bed() {
  const { store, folder } = await testStore();
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP });
  const start = () => repository.startRun(HEADER, new KnownPacks());
  const pathOf = (run: string, sequence: number) => join(folder, commitName(run, sequence));
  return { store, repository, start, pathOf, again: () => openRepository(store, PASSWORD) };
}

test('a commit is read back as it was written, also by another process that opens the repository', async () => {
  const { start, again } = await bed();
  const run = await start();
  const written = [
    await run.commit({ sections: [SECTION] }),
    await run.end({ retiredPacks: ['a'.repeat(64)], expiredBefore: new Date(0), end: () => END }),
  ];
  const repository = await again();
  for (const commit of written) expect(await repository.findCommit(run.id, commit.sequence)).toEqual(commit);
  expect(await repository.findCommit(run.id, 3)).toBeNull();
  expect(await gathered(repository.listRuns())).toEqual([{ run: run.id, commits: 2, isWhole: true }]);
});

test('a commit may retire any number of packs, and change any number of items', { timeout: 60_000 }, async () => {
  const { start, again } = await bed();
  const run = await start();
  const many = Array.from({ length: 130_000 }, (_, number) => String(number).padStart(64, '0'));
  const changes = many.map((item) => ({ type: 'remove', item }) as const);
  await run.commit({ retiredPacks: many, sections: [{ ...SECTION, changes }] });
  const read = await (await again()).findCommit(run.id, 1);
  expect(read?.retiredPacks.join()).toBe(many.join());
  expect(read?.sections[0]?.changes.length).toBe(many.length);
  await run.abandon();
});

test('a journal cannot fork: who was closed by another cannot commit, and who closes reads what came before', async () => {
  const { start, again } = await bed();
  const run = await start();
  await run.commit({});
  const second = await run.commit({ sections: [SECTION] });
  const other = await again();
  const read = await other.closeRun(run.id, 1, 'closer');
  expect(read).toMatchObject([second, { sequence: 3, closedBy: 'closer' }]);
  await expect(run.commit({ sections: [SECTION] })).rejects.toMatchObject({ code: 'run-closed' });
  await expect(run.write([])).rejects.toMatchObject({ code: 'run-closed' });
  await run.abandon();
  expect(await other.closeRun(run.id, 2, 'another closer')).toMatchObject([{ sequence: 3, closedBy: 'closer' }]);
  expect(await gathered(other.listRuns())).toEqual([{ run: run.id, commits: 3, isWhole: true }]);
});

test('a run that another process closed gives back its lock when it is abandoned', async () => {
  const { start, repository } = await bed();
  const run = await start();
  await run.commit({});
  await repository.closeRun(run.id, 1, 'closer');
  await expect(run.commit({})).rejects.toMatchObject({ code: 'run-closed' });
  await run.abandon();
  await (await repository.lock('exclusive')).release();
});

test('a run whose lock was presumed dead before its first commit does nothing after it', async () => {
  const { start, store } = await bed();
  const run = await start();
  for (const { name } of await gathered(store.list('locks/'))) await store.delete(name);
  await expect(run.commit({})).rejects.toMatchObject({ code: 'locked' });
  await expect(run.commit({})).rejects.toMatchObject({ code: 'locked' });
  await run.abandon();
});

test('after a commit that may or may not have been stored there is no other', async () => {
  const { store, start, repository } = await bed();
  const run = await start();
  await run.commit({});
  const { create } = store;
  store.create = async () => {
    throw new Error('the disk is gone');
  };
  await expect(run.commit({ sections: [SECTION] })).rejects.toThrow('the disk is gone');
  store.create = create;
  await expect(run.commit({})).rejects.toMatchObject({ code: 'run-closed' });
  expect(await gathered(repository.listRuns())).toEqual([{ run: run.id, commits: 1, isWhole: true }]);
});

test('a commit that was moved, and one that was cut out, are found', async () => {
  const { start, repository, pathOf } = await bed();
  const run = await start();
  for (let sequence = 1; sequence <= 3; sequence += 1) await run.commit({});
  await unlink(pathOf(run.id, 2));
  expect(await repository.findCommit(run.id, 2)).toBeNull();
  expect(await gathered(repository.listRuns())).toEqual([{ run: run.id, commits: 3, isWhole: false }]);
  await rename(pathOf(run.id, 3), pathOf(run.id, 2));
  await expect(repository.findCommit(run.id, 2)).rejects.toMatchObject({ code: 'damaged' });
  await run.abandon();
});

test('a sealed object that is cut, flipped anywhere, renamed, or of another key does not open', async () => {
  const key = Buffer.alloc(32, 1);
  const sealed = await seal(key, 'locks/a', 'some text');
  expect(await unseal(key, 'locks/a', sealed)).toBe('some text');
  for (let at = 0; at < sealed.length; at += 1) {
    const flipped = Buffer.from(sealed);
    flipped[at] = (flipped[at] ?? 0) ^ 0x80;
    const code = at === 6 || at === 7 ? 'newer-repository' : 'damaged';
    await expect(unseal(key, 'locks/a', flipped)).rejects.toMatchObject({ code });
    await expect(unseal(key, 'locks/a', sealed.subarray(0, at))).rejects.toMatchObject({ code: 'damaged' });
  }
  await expect(unseal(key, 'locks/b', sealed)).rejects.toMatchObject({ code: 'damaged' });
  await expect(unseal(Buffer.alloc(32, 2), 'locks/a', sealed)).rejects.toMatchObject({ code: 'damaged' });
});

test('a commit that no reader would take is not written', { timeout: 60_000 }, async () => {
  const { start, repository, store } = await bed();
  const run = await start();
  await run.commit({});
  const names = Array.from({ length: 1_100 }, () => randomBytes(32_768).toString('hex'));
  await expect(
    run.commit({ retiredPacks: [...names, ...names.map((name) => name.split('').reverse().join(''))] }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/\d+ bytes/),
  });
  expect(await gathered(repository.listRuns())).toMatchObject([{ commits: 1 }]);
  expect((await gathered(store.list('journals/'))).length).toBe(1);
  await run.abandon();
});

test('a commit that a list names twice does not count as replaced by a later form', async () => {
  const { store, start } = await bed();
  const run = await start();
  for (let sequence = 1; sequence <= 20; sequence += 1) await run.commit({});
  const odd = new OddListStore(store, ['repeats', 'disorders'], new Random(5));
  expect(await (await openRepository(odd, PASSWORD)).deleteReplacedCommits()).toMatchObject({ deleted: 0 });
  expect(await gathered(store.list('journals/'))).toHaveLength(20);
  await run.abandon();
});

/** A store in which something happens once, between its answer to a read and who asked. */
class OvertakenStore extends WrappedStore {
  meanwhile: (() => Promise<unknown>) | null = null;

  override async read(name: string): Promise<Buffer> {
    const bytes = await super.read(name);
    const { meanwhile } = this;
    if (meanwhile === null || !/^(journals|segments)/.test(name)) return bytes;
    this.meanwhile = null;
    await meanwhile();
    return bytes;
  }
}

const saying = (sections: ObjectSection[]) => (commit: Commit) => ({ ...commit, sections });
const REFUSED = { code: 'locked', isRetryable: true };

/** A run whose first commit is to say less, and erasures of two processes, of which the store of the first can be overtaken. */
async function erasures() {
  const { store, repository, start, again } = await bed();
  const backup = await start();
  const { sequence } = await backup.end({ sections: [SECTION], end: () => END });
  const overtaken = new OvertakenStore(store);
  const slow = await (await openRepository(overtaken, PASSWORD)).startRun(HEADER, new KnownPacks());
  const quick = await (await again()).startRun(HEADER, new KnownPacks());
  onTestFinished(async () => void (await Promise.all([slow.abandon(), quick.abandon()])));
  const forms = async (folder: string) => (await gathered(store.list(folder))).map(({ name }) => name);
  const read = async () => (await again()).findCommit(backup.id, sequence);
  return { store, repository, overtaken, slow, quick, again, forms, read, place: [backup.id, sequence] as const };
}

test.each([
  ['more', [SECTION], []],
  ['less', [], [SECTION]],
])('a later form that another process wrote meanwhile, which says %s, stays the last', async (_, other, own) => {
  const { overtaken, slow, quick, forms, read, place } = await erasures();
  const named = (sections: ObjectSection[]) => sections.map((section) => ({ ...section, name: 'Named again' }));
  overtaken.meanwhile = () => quick.replaceCommit(...place, saying(named(other)));
  await expect(slow.replaceCommit(...place, saying(named(own)))).rejects.toMatchObject(REFUSED);
  expect(await read()).toMatchObject({ sections: named(other) });
  expect(await slow.replaceCommit(...place, saying([]))).toMatchObject({ changed: 1 });
  expect(await read()).toMatchObject({ sections: [] });
  expect(await forms('journals/')).toHaveLength(1);
});

test('who stood still while a commit was written again twice takes its own form away: it would say more', async () => {
  const { overtaken, slow, quick, forms, read, place } = await erasures();
  overtaken.meanwhile = async () => {
    await quick.replaceCommit(...place, saying([{ ...SECTION, changes: [] }]));
    await quick.replaceCommit(...place, saying([]));
  };
  await expect(slow.replaceCommit(...place, saying([{ ...SECTION, name: '' }]))).rejects.toMatchObject(REFUSED);
  expect(await read()).toMatchObject({ sections: [] });
  expect(await forms('journals/')).toEqual([commitName(...place, 2)]);
});

test('who stood still while a journal went into a segment takes its own form away, and nothing is lost', async () => {
  const { repository, overtaken, slow, forms, read, place } = await erasures();
  overtaken.meanwhile = async () => {
    const [journal] = await gathered(repository.listJournals());
    await repository.createSegment(journal === undefined ? [] : [journal], slow.lock);
    const [segment] = await repository.listSegments();
    if (segment !== undefined && journal !== undefined) await repository.deleteSegmented(segment, journal);
  };
  await expect(slow.replaceCommit(...place, saying([]))).rejects.toMatchObject(REFUSED);
  expect(await forms('journals/')).toEqual([]);
  expect(await read()).toMatchObject({ sections: [SECTION] });
});

test('nothing is written again once the lock of the run may count as dead', async () => {
  const { overtaken, slow, forms, place } = await erasures();
  const segment = await theSegment(overtaken, slow.lock);
  const late = await openRepository(overtaken, PASSWORD);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const passing = async () => vi.setSystemTime(Date.now() + 26 * 60_000);
  for (const replacing of [
    () => slow.replaceCommit(...place, saying([])),
    () => slow.replaceInSegment(segment, saying([])),
    async () => late.createSegment(await gathered(late.listJournals()), slow.lock),
  ]) {
    overtaken.meanwhile = passing;
    await expect(replacing()).rejects.toThrow(/could not be renewed in time/);
    vi.setSystemTime(Date.now() - 26 * 60_000);
  }
  expect([...(await forms('journals/')), ...(await forms('segments/'))]).toEqual([
    commitName(...place),
    `segments/${segment.name}`,
  ]);
});

/** The journals of a store in a segment beside them. */
async function theSegment(store: ObjectStore, lock: LivingLock): Promise<ListedSegment> {
  const repository = await openRepository(store, PASSWORD);
  await repository.createSegment(await gathered(repository.listJournals()), lock);
  const [segment] = await repository.listSegments();
  if (segment === undefined) throw new Error('There is no segment.');
  return segment;
}

test('a segment that was read before another process wrote it again is read once more before it is replaced', async () => {
  const { store, slow, quick, again, forms, read, place } = await erasures();
  const segment = await theSegment(store, slow.lock);
  const isSame = (commit: Commit) => commit;
  await slow.replaceInSegment(segment, isSame);
  await quick.replaceInSegment(segment, saying([]));
  const [present] = await (await again()).listSegments();
  const named = (commit: Commit) => saying(commit.sections.map((section) => ({ ...section, name: '' })))(commit);
  await slow.replaceInSegment(present ?? segment, named);
  await store.delete(commitName(...place));
  expect(await read()).toMatchObject({ sections: [] });
  expect(await forms('segments/')).toHaveLength(1);
});

test('who stood still while a segment was written again, once or twice, leaves it alone', async () => {
  for (const times of [1, 2]) {
    const { store, overtaken, slow, quick, again, forms, read, place } = await erasures();
    const segment = await theSegment(store, slow.lock);
    overtaken.meanwhile = async () => {
      for (let time = 1; time <= times; time += 1) {
        const [present] = await (await again()).listSegments();
        await quick.replaceInSegment(present ?? segment, saying(time === times ? [] : [{ ...SECTION, name: '' }]));
      }
    };
    await expect(slow.replaceInSegment(segment, saying([SECTION]))).rejects.toMatchObject(REFUSED);
    await store.delete(commitName(...place));
    expect(await read()).toMatchObject({ sections: [] });
    expect(await forms('segments/')).toEqual([`segments/${segment.name}-000${times}`]);
  }
});

test('a segment is dropped for what it says more than later forms beside it, and only where nothing is in it alone', async () => {
  const { store, repository, slow, quick, read, place } = await erasures();
  const run = await repository.startRun(HEADER, new KnownPacks());
  await run.end({ end: () => END });
  const segment = await theSegment(store, slow.lock);
  const drop = async () =>
    repository.dropOutdatedSegment(segment, await gathered(repository.listJournals()), slow.lock);
  expect(await drop()).toBe('current');
  // A form of another number that says the same.
  await quick.replaceCommit(...place, (commit) => ({ ...commit }));
  expect(await drop()).toBe('current');
  await quick.replaceCommit(...place, saying([]));
  const other = commitName(run.id, 1);
  const bytes = await store.read(other);
  await store.delete(other);
  expect(await drop()).toBe('outdated');
  await store.create(other, Buffer.from('damaged'));
  expect(await drop()).toBe('outdated');
  await store.delete(other);
  await store.create(other, bytes);
  expect(await drop()).toBe('dropped');
  expect(await read()).toMatchObject({ sections: [] });
  expect(await repository.listSegments()).toEqual([]);
});
