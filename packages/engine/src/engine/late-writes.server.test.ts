import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { openRepository } from '../repository/open-repository.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { gathered } from '../testing/gathered.ts';
import { HangingStore } from '../testing/hanging-store.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { CHEAP, PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const file = (text: string) =>
  ({ kind: 'file', name: 'a', parentId: null, contents: { file: Buffer.from(text) } }) as const;

test.each([
  ['a pack', /^packs/],
  ['its first commit', /^journals.*0001$/],
  ['its last commit', /^journals.*0002$/],
  ['its claims', /^claims/],
])(
  'what a stopped run left under way, %s, changes nothing when it is written after the lock fell and others went on',
  async (_, names) => {
    const parts = await database.parts();
    const ada = new WrittenObject('ada', 'drive');
    const back = (repository = parts.repository, { signal } = new AbortController()) =>
      backUp({ ...parts, repository, source: new WrittenSource(ada), signal }, JOB);
    ada.put('a', file('first'));
    await back();
    const hanging = new HangingStore(parts.store);
    const stopping = new AbortController();
    hanging.onHang = () => stopping.abort(new Error('stopped'));
    hanging.hang('create', names);
    ada.put('a', file('second'));
    const left = await openRepository(hanging, PASSWORD, { passwordCost: CHEAP });
    await expect(back(left, stopping)).rejects.toThrow('stopped');
    const aging = new AgingStore(parts.store);
    await aging.ageLocks();
    const others = await openRepository(aging, PASSWORD, { passwordCost: CHEAP });
    await prune(others, parts.catalog, { before: new Date() });
    ada.put('a', file('third'));
    expect((await back(others)).outcome).toBe('Success');
    hanging.goOn();
    await expect.poll(async () => (await gathered(parts.store.list('locks/'))).length).toBe(0);
    expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({
      journalFaults: [],
      packFaults: [],
      damagedItems: [],
      mismatch: null,
    });
    ada.put('b', file('fourth'));
    expect((await back()).outcome).toBe('Success');
    const key = parts.repository.objectKey(ada.object);
    const revision = (await parts.catalog.object(key))?.revision ?? 0;
    expect(await restoredState(parts.repository, parts.catalog, key, revision)).toEqual(writtenState(ada));
  },
);
