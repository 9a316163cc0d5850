import { expect, test } from 'vitest';
import { memoryStore } from '../memory-store.fixture.ts';
import type { CreateOptions } from '../object-store.ts';
import { RetainingStore } from './retaining-store.ts';

const NOW = Date.parse('2026-11-22T08:00:00Z');

/** The instant until which each name was locked when it was created. */
async function lockedUntil(...names: string[]): Promise<(string | undefined)[]> {
  const { store } = memoryStore();
  const instants: (string | undefined)[] = [];
  const create = (name: string, bytes: Uint8Array, { retainUntil }: CreateOptions = {}) => {
    instants.push(retainUntil?.toISOString());
    return store.create(name, bytes);
  };
  const retaining = new RetainingStore({ ...store, create, now: () => new Date(NOW) }, 30);
  for (const name of names) await retaining.create(name, Buffer.from('x'));
  return instants;
}

test('All that a repository is made of is locked for so many days from when it is written', async () => {
  const names = ['keepwatch-repository', 'keys/one', 'packs/ab/abcd', 'journals/run/00000001', 'segments/run-run'];
  expect(await lockedUntil(...names)).toEqual(names.map(() => '2026-12-22T08:00:00.000Z'));
});

test('What says who works now can be deleted at once', async () => {
  expect(await lockedUntil('locks/one', 'claims/run-00000001', 'claims/run-ended-00000001-0001')).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
