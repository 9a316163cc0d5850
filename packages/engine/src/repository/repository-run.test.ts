import { expect, test } from 'vitest';
import { memoryStore } from '../store/memory-store.fixture.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { CHEAP, PASSWORD } from '../testing/test-parts.ts';
import { createRepository } from './open-repository.ts';

const NOTHING = { locate: async () => new Map() };
const HEADER = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;

test('a run that failed says why each time it is asked to go on, not that it is over', async () => {
  const faults = [{ kind: 'full', calls: ['create'], names: /^journals\// }] as const;
  const store = new FaultStore(memoryStore().store, faults);
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP });
  const run = await repository.startRun(HEADER, NOTHING);
  await expect(run.commit({})).rejects.toMatchObject({ code: 'store-full' });
  await expect(run.commit({})).rejects.toMatchObject({
    code: 'run-closed',
    message: expect.stringMatching(/the store is full/),
  });
  await run.abandon();
});
