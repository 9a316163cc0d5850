import { expect, test } from 'vitest';
import type { Fault } from '../../testing/fault/fault.ts';
import { FaultStore } from '../../testing/fault/fault-store.ts';
import { memoryStore, namesIn } from '../memory-store.fixture.ts';
import { RetryStore } from './retry-store.ts';

const AT_ONCE = { retries: 3, firstWaitMs: 0, longestMs: 0 };

function retrying(...faults: Fault[]) {
  const memory = memoryStore();
  return { ...memory, retrying: new RetryStore(new FaultStore(memory.store, faults), AT_ONCE) };
}

test('repeats what failed with a retryable error, and gives the answer', async () => {
  const { retrying: store, objects } = retrying({ kind: 'fail', at: 1 }, { kind: 'fail', calls: ['read'], at: 2 });
  expect(await store.create('a', Buffer.from('x'))).toBe(true);
  expect(String(await store.read('a'))).toBe('x');
  expect(String(await store.read('a'))).toBe('x');
  expect(String(await store.readRange('a', 0, 1))).toBe('x');
  await store.delete('a');
  expect(objects.size).toBe(0);
});

test('says that it created an object when only the answer got lost', async () => {
  const { retrying: store, objects } = retrying({ kind: 'fail-after', calls: ['create'], at: 1 });
  expect(await store.create('a', Buffer.from('mine'))).toBe(true);
  expect(String(objects.get('a'))).toBe('mine');
});

test('says that it lost when another writer was first, between its attempts or before', async () => {
  const { retrying: store, objects } = retrying({ kind: 'fail', calls: ['create'], at: 1 });
  objects.set('a', Buffer.from('theirs'));
  expect(await store.create('a', Buffer.from('mine'))).toBe(false);
  expect(await store.create('a', Buffer.from('theirs'))).toBe(false);
  expect(String(objects.get('a'))).toBe('theirs');
});

test('gives up after so many attempts, with the last error', async () => {
  const { retrying: store, calls } = retrying({ kind: 'fail-after' });
  await expect(store.read('a')).rejects.toMatchObject({ code: 'not-found' });
  expect(calls).toEqual(['read a']);
  await expect(store.delete('a')).rejects.toMatchObject({ code: 'store-unreachable', isRetryable: true });
  expect(calls.filter((call) => call === 'delete a')).toHaveLength(4);
});

test('does not repeat what trying again does not help', async () => {
  const { retrying: store, calls } = retrying({ kind: 'full' });
  await expect(store.create('a', Buffer.from('x'))).rejects.toMatchObject({ code: 'store-full' });
  await expect(store.read('a')).rejects.toMatchObject({ code: 'store-full' });
  expect(calls).toEqual([]);
});

test('goes on with a list that broke, and gives every object once', async () => {
  const memory = memoryStore();
  for (const name of ['a', 'b', 'c', 'd']) await memory.store.create(name, Buffer.from('x'));
  let broken = 2;
  const breaking = {
    ...memory.store,
    async *list(prefix: string) {
      for await (const facts of memory.store.list(prefix)) {
        if (facts.name === 'c' && broken-- > 0) await new FaultStore(memory.store, [{ kind: 'fail' }]).read('c');
        yield facts;
      }
    },
  };
  const store = new RetryStore(breaking, AT_ONCE);
  expect(await namesIn(store)).toEqual(['a', 'b', 'c', 'd']);
  expect(memory.calls.filter((call) => call === 'list ')).toHaveLength(3);
});
