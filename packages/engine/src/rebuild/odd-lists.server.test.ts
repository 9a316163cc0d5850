import { expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { backUp } from '../backup/backup.ts';
import { EngineError } from '../model/engine-error.ts';
import { prune } from '../prune/prune.ts';
import { ageObjects } from '../prune/prune-bed.fixture.ts';
import { openRepository } from '../repository/open-repository.ts';
import { ChangingWorld } from '../testing/changing-world.ts';
import { type Oddity, OddListStore } from '../testing/odd-list-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

/** LIST_SEED repeats a run. */
const SEED = Number(process.env['LIST_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const ROUNDS = tries(6, 80);
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

const database = useDatabase();

type Stored = Pick<TestParts, 'repository' | 'catalog'>;

/** Two machines with a catalog each that take turns: one always has to hear of what the other did. */
test.each<{ oddities: Oddity[] }>([
  { oddities: ['loses'] },
  { oddities: ['repeats'] },
  { oddities: ['delays'] },
  { oddities: ['disorders'] },
  { oddities: ['loses', 'repeats', 'delays', 'disorders'] },
])('a store that $oddities what it lists: each work ends clearly, and nothing is lost', async ({ oddities }) => {
  const { folder, store, repository: sound, catalog } = await database.parts();
  const [random, world] = [new Random(SEED), new ChangingWorld(SEED)];
  const catalogs = [catalog, await database.anotherCatalog(sound.id)];
  const expected = new Map<string, State[]>();
  const counts = { ended: 0, refused: 0 };
  const back = ({ repository, catalog: by }: Stored) =>
    backUp({ repository, catalog: by, source: world.source, signal: new AbortController().signal }, JOB);
  const works: ((stored: Stored) => Promise<unknown>)[] = [
    back,
    back,
    ({ repository, catalog: by }) => prune(repository, by, { keepDays: 0, waitMs: 0 }),
    ({ repository, catalog: by }) => verify(repository, by, { depth: 'full' }),
    ({ repository, catalog: by }) => rebuild(repository, by),
  ];
  const note = async (stored: Stored) => {
    for (const { run } of await stored.catalog.listRestorePoints({ limit: 100, offset: 0 }))
      if (!expected.has(run.id)) expected.set(run.id, world.source.objects.map(writtenState));
  };
  // Whatever is drawn first finds something there.
  world.change();
  await back({ repository: sound, catalog });
  await note({ repository: sound, catalog });
  const first = random.below(works.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    world.change();
    const by = random.pick(catalogs);
    const odd = new OddListStore(store, oddities, random);
    // Each of them once at least, whatever is drawn.
    const work = works[round < works.length ? (first + round) % works.length : random.below(works.length)] ?? back;
    const end = await openRepository(odd, PASSWORD)
      .then((repository) => work({ repository, catalog: by }))
      .then(
        () => 'ended' as const,
        (error: unknown) => {
          expect(error).toBeInstanceOf(EngineError);
          return 'refused' as const;
        },
      );
    counts[end] += 1;
    // A list that is whole again, and a day in which nothing happened.
    await ageObjects(folder, 'packs', 30);
    const stored = { repository: sound, catalog: random.pick(catalogs) };
    const result = await back(stored);
    expect(result, `round ${round} of seed ${SEED}`).toMatchObject({ outcome: 'Success', findings: { lost: [] } });
    await note(stored);
    const found = await verify(sound, stored.catalog, { depth: 'full' });
    expect(found, `round ${round} of seed ${SEED}`).toMatchObject({
      packFaults: [],
      damagedItems: [],
      journalFaults: [],
    });
    for (const { run } of await stored.catalog.listRestorePoints({ limit: 100, offset: 0 })) {
      const revisions = new Map((await stored.catalog.restorePoint(run.id))?.objects);
      for (const [at, { object }] of world.source.objects.entries()) {
        const key = sound.objectKey(object);
        const state = await restoredState(sound, stored.catalog, key, revisions.get(key) ?? 0);
        expect(state, `run ${run.id}, ${object.name}`).toEqual(expected.get(run.id)?.[at]);
      }
    }
  }
  console.log(
    `seed ${SEED}, ${oddities.join(', ')}: ${counts.ended} ended, ${counts.refused} refused, ${expected.size} restore points.`,
  );
});
