import { expect, test } from 'vitest';
import { createRepository, openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { gathered } from '../testing/gathered.ts';
import { HangingStore } from '../testing/hanging-store.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, testStore, useDatabase } from '../testing/test-parts.ts';
import { verify } from '../verify/verify.ts';
import { erase } from './erase.ts';
import { erasureBed, journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();
const OPTIONS = { passwordCost: CHEAP, chunkSizes: SMALL_CHUNKS };

const partsIn = async (repository: Repository) => ({
  repository,
  catalog: await database.catalog().repository(repository.id),
});
const requestOf = (id: string) => ({ subject: { type: 'user', id }, reason: 'Request 17', by: 'Grace' }) as const;

test('an erasure that stood still until its lock was dead does not bring back what another one erased meanwhile', async () => {
  const { store } = await testStore();
  const parts = await partsIn(await createRepository(store, PASSWORD, OPTIONS));
  await erasureBed(parts);
  const hanging = new HangingStore(store);
  const suspended = await partsIn(await openRepository(hanging, PASSWORD));
  const hangs = Promise.withResolvers<void>();
  hanging.onHang = hangs.resolve;
  const erasedPacks = suspended.catalog.erasedPacks.bind(suspended.catalog);
  // Asked right before journals are read to be written again.
  suspended.catalog.erasedPacks = () => {
    hanging.hang('answer', /^journals/);
    return erasedPacks();
  };
  const erasing = erase(suspended.repository, suspended.catalog, requestOf('ada@contoso.example'));
  await hangs.promise;
  for (const { name } of await gathered(store.list('locks/'))) await store.delete(name);
  await erase(parts.repository, parts.catalog, requestOf('bob@contoso.example'));
  hanging.goOn();
  await expect(erasing).rejects.toMatchObject({ code: 'locked', isRetryable: true });
  expect(await journalText(await openRepository(store, PASSWORD))).not.toMatch(/of (ada|bob)|(ada|bob)@|drive-of-a/i);
  expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({
    journalFaults: [],
    packFaults: [],
    damagedItems: [],
  });
});
