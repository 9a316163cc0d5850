import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { openRepository } from '../repository/open-repository.ts';
import { WrappedStore } from '../store/wrapped-store.ts';
import { gathered } from '../testing/gathered.ts';
import { HangingStore } from '../testing/hanging-store.ts';
import { CHEAP, PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const HEADER = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
const FILE = { kind: 'file', name: 'a', parentId: null, contents: { file: Buffer.from('a') } } as const;

/** A store that answers each write, if late. */
class SlowStore extends WrappedStore {
  delayMs = 0;

  override async create(...given: Parameters<WrappedStore['create']>): Promise<boolean> {
    await setTimeout(this.delayMs);
    return super.create(...given);
  }

  override async delete(name: string): Promise<void> {
    await setTimeout(this.delayMs);
    return super.delete(name);
  }
}

test('a backup ends within a second of the signal where each of its last writes takes nearly as long as one may', async () => {
  const tries = [await stopOnSlowStore()];
  // Whatever else the machine does can only make it slower.
  while (Math.min(...tries.map(({ tookMs }) => tookMs)) >= 1_000 && tries.length < 3)
    tries.push(await stopOnSlowStore());
  expect(Math.min(...tries.map(({ tookMs }) => tookMs))).toBeLessThan(1_000);
  for (const { slow, goOn } of tries) {
    slow.delayMs = 0;
    await expect.poll(async () => (await gathered(slow.list('locks/'))).length).toBe(0);
    expect((await goOn()).outcome).toBe('Success');
  }
});

/** Stops a backup when each of its writes begins to take 450 ms. */
async function stopOnSlowStore() {
  const { store, catalog } = await database.parts();
  const slow = new SlowStore(store);
  const repository = await openRepository(slow, PASSWORD, { passwordCost: CHEAP });
  const stopping = new AbortController();
  const reason = new Error('Stopped on request.');
  const ada = new WrittenObject('ada', 'drive');
  let stoppedMs = 0;
  ada.script = [
    { type: 'item', item: itemOf('a', FILE), contents: [{ name: 'file', bytes: FILE.contents.file }] },
    () => {
      slow.delayMs = 450;
      stoppedMs = performance.now();
      stopping.abort(reason);
    },
  ];
  const source = new WrittenSource(ada);
  await expect(backUp({ repository, catalog, source, signal: stopping.signal }, JOB)).rejects.toBe(reason);
  const tookMs = performance.now() - stoppedMs;
  const goOn = () => {
    ada.put('a', FILE);
    return backUp({ repository, catalog, source, signal: new AbortController().signal }, JOB);
  };
  return { tookMs, slow, goOn };
}

test('the lock of a run that failed stays until its packs, too, are under way no more', async () => {
  const { store, catalog } = await database.parts();
  const hanging = new HangingStore(store);
  const opened = await openRepository(hanging, PASSWORD, { passwordCost: CHEAP });
  const run = await opened.until(new AbortController().signal).startRun(HEADER, catalog);
  await catalog.apply(await run.commit({}));
  const hung = Promise.withResolvers<void>();
  hanging.onHang = () => hung.resolve();
  hanging.hang('create', /^packs/);
  await run.write([{ name: 'file', bytes: Buffer.from('a') }]);
  const committing = run.commit({}).catch((error: unknown) => error);
  await hung.promise;
  const over = run.abandon();
  for (let look = 0; look < 20; look += 1) expect(await gathered(store.list('locks/'))).toHaveLength(1);
  hanging.goOn();
  await over;
  await committing;
  expect(await gathered(store.list('locks/'))).toHaveLength(0);
});
