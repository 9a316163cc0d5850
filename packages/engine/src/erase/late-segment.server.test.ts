import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ageObjects, shortenLocked } from '../prune/prune-bed.fixture.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { gathered } from '../testing/gathered.ts';
import { HangingStore } from '../testing/hanging-store.ts';
import { CHEAP, PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { verify } from '../verify/verify.ts';
import { erase } from './erase.ts';
import { ERASED_NAMES, erasureBed, journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();
const OPTIONS = { runsASegment: 3 };
const DAY_HOURS = 30;

/** A shortening that is suspended right before it creates a segment, while its lock counts as dead and another process erases Ada. */
async function overtakenShortening(around: (store: ObjectStore) => ObjectStore = (store) => store) {
  const parts = await database.parts();
  const { repository, catalog, store, folder, objects, back } = await erasureBed(parts);
  // Her objects are not in the backups that follow.
  const goOn = () => back(objects.bob);
  await ageObjects(folder, 'journals', DAY_HOURS);
  await goOn();
  const hanging = new HangingStore(around(store));
  const hangs = Promise.withResolvers<void>();
  hanging.onHang = hangs.resolve;
  hanging.hang('create', /^segments/);
  const late = await openRepository(hanging, PASSWORD, { passwordCost: CHEAP });
  const lateCatalog = await database.anotherCatalog(repository.id);
  await catchUp(late, lateCatalog);
  const shortening = shortenLocked(late, lateCatalog, OPTIONS);
  await hangs.promise;
  for (const { name } of await gathered(store.list('locks/'))) await store.delete(name);
  await erase(repository, catalog, { subject: { type: 'user', id: 'ada@contoso.example' }, reason: 'Request 17' });
  const segments = () => readdir(join(folder, 'segments')).catch(() => []);
  const text = async () => journalText(await openRepository(store, PASSWORD));
  const shortenNextDay = async () => {
    for (const of of ['journals', 'segments']) await ageObjects(folder, of, DAY_HOURS);
    await goOn();
    await catchUp(repository, catalog);
    return shortenLocked(repository, catalog, OPTIONS);
  };
  return { repository, catalog, hanging, shortening, segments, text, shortenNextDay };
}

test('a shortening that was suspended until its lock was dead deletes its segment, which says what was erased meanwhile', async () => {
  const { hanging, shortening, segments, text } = await overtakenShortening();
  hanging.goOn();
  await expect(shortening).rejects.toMatchObject({ code: 'locked', isRetryable: true });
  expect(await segments()).toEqual([]);
  expect(await text()).not.toMatch(ERASED_NAMES);
});

test('a segment of a shortening that died before it looked is dropped, and no journal is deleted for it', async () => {
  const dead = Promise.withResolvers<void>();
  const faults = [{ kind: 'die-after', calls: ['create'], names: /^segments/, at: 1 }] as const;
  const bed = await overtakenShortening((store) => new FaultStore(store, faults, 1, dead.resolve));
  bed.hanging.goOn();
  await dead.promise;
  expect(await bed.segments()).toHaveLength(1);
  expect(await bed.shortenNextDay()).toMatchObject({ dropped: 1, deleted: 0 });
  expect(await bed.text()).not.toMatch(ERASED_NAMES);
  expect((await bed.shortenNextDay()).segments).toBeGreaterThan(0);
  expect((await bed.shortenNextDay()).deleted).toBeGreaterThan(2);
  expect(await bed.text()).not.toMatch(ERASED_NAMES);
  expect(await verify(bed.repository, bed.catalog, { depth: 'full' })).toMatchObject({
    journalFaults: [],
    packFaults: [],
    damagedItems: [],
    mismatch: null,
  });
});
