import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { StoppableStore } from '../store/stoppable-store.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { gathered } from '../testing/gathered.ts';
import { HangingStore } from '../testing/hanging-store.ts';
import { testStore } from '../testing/test-parts.ts';
import { deriveKeys, newRepositoryKey } from './keys.ts';
import { listLocks, livingRuns, requireLockTimes } from './lock-objects.ts';
import { thisMachine } from './machine.ts';
import { takeLock } from './repository-lock.ts';
import { StoreClock } from './store-clock.ts';

async function place() {
  const store = new AgingStore((await testStore()).store);
  return { store, keys: deriveKeys(newRepositoryKey()), program: 'tester' };
}

test('shared locks live beside each other; an exclusive one excludes all, and names its holder', async () => {
  const at = await place();
  const shared = [await takeLock(at, 'shared'), await takeLock(at, 'shared')];
  await expect(takeLock(at, 'exclusive')).rejects.toMatchObject({
    code: 'locked',
    isRetryable: true,
    message: expect.stringMatching(
      /^tester on .* \(process \d+\) is backing up in .* since .*Z\. .* its lock falls at .*Z\.$/,
    ),
  });
  for (const lock of shared) await lock.release();
  const exclusive = await takeLock(at, 'exclusive');
  for (const kind of ['shared', 'exclusive'] as const)
    await expect(takeLock(at, kind)).rejects.toMatchObject({ code: 'locked' });
  await exclusive.release();
  expect(await gathered(at.store.list('locks/'))).toEqual([]);
});

test('a lock that was renewed still says since when, and until when it holds should its process die', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const at = await place();
  const lock = await takeLock(at, 'shared');
  const [before] = await gathered(listLocks(at));
  const [name] = await gathered(at.store.list('locks/'));
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  await expect
    .poll(async () => (await gathered(at.store.list('locks/'))).map((one) => one.name))
    .not.toContain(name?.name);
  await expect.poll(() => gathered(listLocks(at))).toHaveLength(1);
  const [after] = await gathered(listLocks(at));
  expect(after).toMatchObject({ kind: 'shared', program: 'tester', process: process.pid, since: before?.since });
  expect(after?.fallsAt.getTime()).toBeGreaterThan(before?.fallsAt.getTime() ?? 0);
  await lock.release();
  expect(await gathered(listLocks(at))).toEqual([]);
});

test('a lock with times of its own counts for that long to all, whatever theirs are, and is renewed meanwhile', async () => {
  const at = await place();
  const soon = { ...at, times: { renewMs: 8_000, deadMs: 45_000 } };
  const lock = await takeLock(soon, 'exclusive', '0001');
  const [holder] = await gathered(listLocks(at));
  const [{ createdAt } = { createdAt: new Date(0) }] = await gathered(at.store.list('locks/'));
  expect(holder?.fallsAt).toEqual(new Date(createdAt.getTime() + 45_000));
  await expect(takeLock(at, 'shared')).rejects.toMatchObject({ code: 'locked' });
  expect(await livingRuns(at)).toEqual(new Set(['0001']));
  // Its process was killed 46 seconds ago.
  await at.store.ageLocks(46_000);
  expect(await gathered(listLocks(at))).toEqual([]);
  const next = await takeLock(at, 'exclusive', '0002');
  expect(await livingRuns(at)).toEqual(new Set(['0002']));
  await expect(lock.confirm()).rejects.toMatchObject({ code: 'locked' });
  await next.release();
  await lock.release();
});

test('a lock of the usual times lives on beside programs with shorter ones', async () => {
  const at = await place();
  const lock = await takeLock(at, 'shared', '0001');
  await at.store.ageLocks(46_000);
  const soon = { ...at, times: { renewMs: 8_000, deadMs: 45_000 } };
  await expect(takeLock(soon, 'exclusive')).rejects.toMatchObject({ code: 'locked' });
  expect(await livingRuns(soon)).toContain('0001');
  await lock.release();
});

test('a holder stops writing before others take its lock for dead, also with shorter times', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const at = await place();
  const lock = await takeLock({ ...at, times: { renewMs: 8_000, deadMs: 45_000 } }, 'shared');
  lock.check();
  // The machine stood still: no timer ran.
  vi.setSystemTime(Date.now() + 36_000);
  lock.check();
  vi.setSystemTime(Date.now() + 1_500);
  expect(() => lock.check()).toThrow(/could not be renewed in time/);
  await lock.release();
});

test('times with which a short delay would lose a lock are refused', () => {
  for (const times of [
    { renewMs: 20_000, deadMs: 45_000 },
    { renewMs: 10, deadMs: 45_000 },
    { renewMs: 60_000, deadMs: 3_600_000 },
  ])
    expect(() => requireLockTimes(times)).toThrow(EngineError);
});

test('what a dead process left is free when its time is over, also while nothing else is written there', async () => {
  const at = { ...(await place()), clock: new StoreClock() };
  let passedMs = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passedMs);
  onTestFinished(() => void vi.restoreAllMocks());
  const dead = await takeLock({ ...at, times: { renewMs: 8_000, deadMs: 45_000 } }, 'shared', 'dead');
  const usual = await takeLock(at, 'shared', 'usual');
  expect(await livingRuns(at)).toEqual(new Set(['dead', 'usual']));
  passedMs = 44_000;
  expect(await livingRuns(at)).toEqual(new Set(['dead', 'usual']));
  passedMs = 46_000;
  expect(await livingRuns(at)).toEqual(new Set(['usual']));
  for (const lock of [dead, usual]) await lock.release();
  expect(await livingRuns(at)).toEqual(new Set());
});

test('the holder of a dead lock is not listed', async () => {
  const at = await place();
  await takeLock(at, 'exclusive');
  await at.store.ageLocks();
  expect(await gathered(listLocks(at))).toEqual([]);
});

test('the lock of a dead process excludes no other, and is deleted', async () => {
  const at = await place();
  await takeLock(at, 'exclusive');
  await at.store.ageLocks();
  const lock = await takeLock(at, 'exclusive');
  expect(await gathered(at.store.list('locks/'))).toHaveLength(1);
  await lock.release();
});

test('who could not renew his lock in time stops before others may take it for dead', async () => {
  const at = await place();
  const lock = await takeLock(at, 'shared');
  lock.check();
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 26 * 60_000);
  try {
    expect(() => lock.check()).toThrow(/could not be renewed in time/);
  } finally {
    now.mockRestore();
  }
  await lock.release();
});

test('a lock that is renewed while another process looks is heeded, whichever moment that is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const moment of ['list', 'read'] as const) {
    const at = await place();
    const lock = await takeLock(at, 'shared');
    const [{ name } = { name: '' }] = await gathered(at.store.list('locks/'));
    const renewed = new RenewedMeanwhile(at.store, name, moment, () => vi.advanceTimersByTimeAsync(5 * 60_000));
    const looking = { ...at, store: renewed };
    await expect(takeLock(looking, 'exclusive')).rejects.toMatchObject({ code: 'locked' });
    expect(renewed.isDone).toBe(true);
    await lock.release();
  }
});

/** A store in which a lock gets another name while it is being read. */
class RenewedMeanwhile extends AgingStore {
  isDone = false;

  constructor(store: AgingStore, old: string, moment: 'list' | 'read', renew: () => Promise<unknown>) {
    super(store);
    const away = async () => {
      if (this.isDone) return;
      this.isDone = true;
      await renew();
      while ((await gathered(store.list('locks/'))).some(({ name }) => name === old));
    };
    this.read = async (name) => {
      if (moment === 'read' && name === old) await away();
      return store.read(name);
    };
    this.list = async function* (prefix) {
      for await (const facts of store.list(prefix)) {
        if (moment === 'list') await away();
        // The new name sorts before the reader's position, the old one is deleted before the reader reaches it.
        if (moment === 'read' || facts.name !== old) yield facts;
      }
    };
  }
}

test('the lock of a process of this machine that is gone excludes no other, and its run lives no longer', async () => {
  const at = await place();
  const { pid } = process;
  const gone = spawnSync(process.execPath, ['--version']).pid;
  Object.defineProperty(process, 'pid', { value: gone });
  await takeLock(at, 'exclusive', 'dead');
  Object.defineProperty(process, 'pid', { value: pid });
  if (thisMachine() === null) return console.log('Skipped: this system does not say which processes it has.');
  expect(await gathered(at.store.list('locks/'))).toHaveLength(1);
  expect([...(await livingRuns(at))]).toEqual([]);
  const lock = await takeLock(at, 'shared', 'alive');
  expect([...(await livingRuns(at))]).toEqual(['alive']);
  await lock.release();
  expect(await gathered(at.store.list('locks/'))).toEqual([]);
});

test('a lock that another process presumed dead is lost for good, however its holder renews it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const at = await place();
  const lock = await takeLock(at, 'shared');
  await lock.confirm();
  await at.store.ageLocks();
  const other = await takeLock(at, 'exclusive');
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  await expect(lock.confirm()).rejects.toMatchObject({ code: 'locked' });
  expect(() => lock.check()).toThrow(/take it for dead/);
  expect(await gathered(listLocks(at))).toMatchObject([{ kind: 'exclusive' }]);
  await other.release();
});

const PACK = `packs/ab/${'ab'.repeat(32)}`;
const COMMIT = `journals/${randomUUID()}/00000001`;
const SEGMENT = `segments/${randomUUID()}-${randomUUID()}`;
const RENEW_MS = 5 * 60_000;
const DEAD_MS = 30 * 60_000;

/** A lock whose work was stopped while the store does not answer a write, and was given back since. */
async function leftBehind(kind: 'shared' | 'exclusive', name: string) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const at = await place();
  const hanging = new HangingStore(at.store);
  const stopping = new AbortController();
  const store = new StoppableStore(hanging, stopping.signal);
  const lock = await takeLock({ ...at, store }, kind);
  hanging.hang('create', /^(packs|journals|segments)/);
  stopping.abort(new Error('stopped'));
  await expect(store.create(name, Buffer.from('late'))).rejects.toThrow('stopped');
  await lock.release();
  const other = await place();
  const control = await takeLock(other, 'shared');
  onTestFinished(() => control.release());
  const namesIn = async (of: ObjectStore) => (await gathered(of.list('locks/'))).map((listed) => listed.name);
  const pass = async (isRenewed: boolean) => {
    const [own, controls] = [await namesIn(at.store), await namesIn(other.store)];
    await vi.advanceTimersByTimeAsync(RENEW_MS);
    await expect.poll(() => namesIn(other.store)).not.toEqual(controls);
    await expect.poll(() => namesIn(other.store)).toHaveLength(1);
    if (!isRenewed) return expect(await namesIn(at.store)).toEqual(own);
    await expect.poll(() => namesIn(at.store)).not.toEqual(own);
    await expect.poll(() => namesIn(at.store)).toHaveLength(1);
  };
  return { at, hanging, pass };
}

/** After these the lock is as old as one that is dead, and counts for as long once more. */
const RENEWALS = DEAD_MS / RENEW_MS - 1;

test.each([PACK, COMMIT])(
  'a lock that waits for %s which its store never ends falls, and others go on',
  async (name) => {
    const { at, hanging, pass } = await leftBehind('shared', name);
    for (let renewal = 0; renewal < RENEWALS; renewal += 1) await pass(true);
    await expect(takeLock(at, 'exclusive')).rejects.toMatchObject({ code: 'locked' });
    await pass(false);
    await at.store.ageLocks();
    await (await takeLock(at, 'exclusive')).release();
    hanging.goOn();
    await expect.poll(() => at.store.read(name).then(String, () => '')).toBe('late');
    expect(await gathered(at.store.list('locks/'))).toEqual([]);
  },
);

test.each([
  ['shared', SEGMENT],
  ['shared', `${COMMIT}-0001`],
  ['exclusive', COMMIT],
] as const)(
  'a lock (%s) stays for as long as the store takes for %s, which would do harm later',
  async (kind, name) => {
    const { at, hanging, pass } = await leftBehind(kind, name);
    for (let renewal = 0; renewal < RENEWALS + 2; renewal += 1) await pass(true);
    hanging.goOn();
    await expect.poll(() => gathered(at.store.list('locks/'))).toEqual([]);
  },
);

test('a lock knows the clock of the store', async () => {
  const at = await place();
  const list = at.store.list;
  at.store.list = async function* (prefix) {
    for await (const facts of list(prefix))
      yield { ...facts, createdAt: new Date(facts.createdAt.getTime() - 7_200_000) };
  };
  const lock = await takeLock(at, 'shared');
  expect(Math.abs(lock.skewMs - 7_200_000)).toBeLessThan(10_000);
  expect(Math.abs(lock.storeTime.getTime() - Date.now() + 7_200_000)).toBeLessThan(10_000);
  await lock.release();
});
