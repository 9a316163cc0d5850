import { cp, rm } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { prune } from '../prune/prune.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { ChangingWorld } from '../testing/changing-world.ts';
import { Freezer } from '../testing/freezing.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, testFolder, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { backUp } from './backup.ts';

/** KILL_SEED repeats a run. */
const SEED = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const ROUNDS = tries(8, 120);
const YEAR_MS = 365 * 86_400_000;
const SKEWS_MS = [0, YEAR_MS, -YEAR_MS];
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

const database = useDatabase();
afterEach(() => vi.useRealTimers());

test('kills, clocks wrong by a year both ways, and a repository replaced by an earlier copy lose nothing unseen', async () => {
  const { folder, catalog } = await database.parts();
  const copy = `${await testFolder()}/copy`;
  const [random, world] = [new Random(SEED), new ChangingWorld(SEED)];
  const counts = {
    killed: 0,
    completed: 0,
    ahead: 0,
    behind: 0,
    prunes: 0,
    pruneRefusals: 0,
    replaced: 0,
    copyRefusals: 0,
    pointsRead: 0,
  };
  const expected = new Map<string, State[]>();
  let copied: Set<string> | null = null;
  const open = async (freezer?: Freezer) => {
    const store = new AgingStore(await openFolderStore(folder));
    await store.ageLocks();
    return openRepository(freezer === undefined ? store : freezer.wrap(store), PASSWORD);
  };
  const back = async (freezer?: Freezer) =>
    backUp(
      {
        repository: await open(freezer),
        catalog: freezer === undefined ? catalog : freezer.wrap(catalog),
        source: world.source,
        signal: new AbortController().signal,
      },
      JOB,
    );
  const points = () => catalog.listRestorePoints({ limit: 1_000, offset: 0 });
  const discover = async () => {
    for (const { run } of await points())
      if (!expected.has(run.id)) expected.set(run.id, world.source.objects.map(writtenState));
  };
  const checkAll = async () => {
    const repository = await open();
    const read = new Map<string, string>();
    for (const { run } of await points()) {
      const revisions = new Map((await catalog.restorePoint(run.id))?.objects);
      for (const [at, { object }] of world.source.objects.entries()) {
        const key = repository.objectKey(object);
        const state = await restoredState(repository, catalog, key, revisions.get(key) ?? 0, read);
        expect(state, `run ${run.id}, ${object.name}`).toEqual(expected.get(run.id)?.[at]);
      }
      counts.pointsRead += 1;
    }
    const found = await verify(repository, catalog, { depth: 'full' });
    expect(found).toMatchObject({ packFaults: [], damagedItems: [], journalFaults: [] });
  };
  /** Puts the earlier copy in the place of the repository: nothing is backed up on it before the loss is accepted. */
  const replace = async () => {
    await rm(folder, { recursive: true });
    await cp(copy, folder, { recursive: true, preserveTimestamps: true });
    counts.replaced += 1;
    await expect(back()).rejects.toMatchObject({ code: 'damaged' });
    counts.copyRefusals += 1;
    await rebuild(await open(), catalog, { acceptLoss: true });
    for (const run of [...expected.keys()]) if (copied?.has(run) !== true) expected.delete(run);
    expect((await points()).every(({ run }) => expected.has(run.id))).toBe(true);
    copied = null;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each of them once at least, whatever is drawn.
    const skewMs = SKEWS_MS[round < SKEWS_MS.length ? round : random.below(SKEWS_MS.length)] ?? 0;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs });
    if (skewMs !== 0) counts[skewMs > 0 ? 'ahead' : 'behind'] += 1;
    world.change();
    const freezer = new Freezer(1 + random.below(60), random.below(2) === 0);
    if ((await freezer.run(back(freezer))) === 'frozen') counts.killed += 1;
    expect(await back()).toMatchObject({ outcome: 'Success', findings: { failures: [], lost: [] } });
    counts.completed += 1;
    await discover();
    const isDrawn = random.below(2) === 0;
    if (copied !== null && (isDrawn || round === ROUNDS - 1)) await replace();
    else if (copied === null && (isDrawn || round === 0)) {
      await rm(copy, { recursive: true, force: true });
      await cp(folder, copy, { recursive: true, preserveTimestamps: true });
      copied = new Set(expected.keys());
    }
    const pruning = prune(await open(), catalog, { keepDays: 0 });
    if (skewMs === 0) await pruning.then(() => (counts.prunes += 1));
    else {
      await expect(pruning).rejects.toMatchObject({ code: 'wrong-clock' });
      counts.pruneRefusals += 1;
    }
    vi.useRealTimers();
    if (round % 6 === 0) await checkAll();
  }
  await checkAll();
  const fingerprint = await catalog.fingerprint();
  await rebuild(await open(), catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
  console.log(
    `seed ${SEED}: ${Object.entries(counts)
      .map((count) => count.join(' '))
      .join(', ')}`,
  );
}, 900_000);
