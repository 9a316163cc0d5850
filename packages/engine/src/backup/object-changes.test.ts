import { expect, test } from 'vitest';
import type { StoredItem } from '../model/items.ts';
import { gathered } from '../testing/gathered.ts';
import { itemOf } from '../testing/written-source.ts';
import { ObjectChanges } from './object-changes.ts';

const OBJECT = {
  organizationId: 'contoso',
  kind: 'mailbox',
  id: 'ada',
  name: 'Ada',
  owner: null,
  address: null,
} as const;
const AT = new Date('2026-11-21T12:00:00Z');

const item = (id: string, name: string): StoredItem => ({
  ...itemOf(id, { kind: 'message', name, parentId: null, contents: {} }),
  contents: [],
});

/** A catalog whose answers the test delays. */
function bed(known: Record<string, StoredItem> = {}, revision = 1) {
  const asked: (readonly string[])[] = [];
  let answer: Promise<void> = Promise.resolve();
  const catalog = {
    current: async (_: string, ids: readonly string[]) => {
      asked.push(ids);
      // As a database sees it: what was there when it was asked.
      const there = new Map(ids.flatMap((id) => (known[id] ? [[id, known[id]] as const] : [])));
      await answer;
      return there;
    },
    async *currentIds() {
      for (const id of Object.keys(known)) yield { id, parentId: null };
    },
  };
  const changes = new ObjectChanges(OBJECT, 'key', revision, catalog);
  return { changes, asked, known, hold: (until: Promise<void>) => (answer = until) };
}

const nameOf = async (changes: ObjectChanges, id: string) => (await changes.current(id))?.name ?? null;

test('an item looks as this run changed it, also while the commit that says so is under way', async () => {
  const { changes } = bed({ a: item('a', 'old'), b: item('b', 'old') });
  expect(await nameOf(changes, 'a')).toBe('old');
  changes.add({ type: 'put', item: item('a', 'new') });
  changes.add({ type: 'remove', item: 'b' });
  for (const step of [() => undefined, () => changes.nextSection(AT)]) {
    step();
    expect([await nameOf(changes, 'a'), await nameOf(changes, 'b')]).toEqual(['new', null]);
  }
});

test('a change that came while a commit was under way is still known when that commit is applied', async () => {
  const { changes, known } = bed();
  changes.add({ type: 'put', item: item('a', 'first') });
  changes.nextSection(AT);
  changes.add({ type: 'put', item: item('a', 'second') });
  known['a'] = item('a', 'first');
  changes.wereApplied();
  expect(await nameOf(changes, 'a')).toBe('second');
  const section = changes.nextSection(AT);
  expect([section?.revision, section?.changes.length]).toEqual([3, 1]);
});

test('an answer that is older than the commit that was applied meanwhile does not bring the old item back', async () => {
  const { changes, known, hold } = bed({ a: item('a', 'old'), z: item('z', 'other') });
  const database = Promise.withResolvers<void>();
  hold(database.promise);
  const asking = [nameOf(changes, 'a'), nameOf(changes, 'z')];
  changes.add({ type: 'put', item: item('a', 'new') });
  changes.nextSection(AT);
  known['a'] = item('a', 'new');
  changes.wereApplied();
  database.resolve();
  expect(await Promise.all(asking)).toEqual(['new', 'other']);
  expect(await nameOf(changes, 'a')).toBe('new');
});

test('who knows how an item was asks again only when that may not hold any more', async () => {
  const { changes, asked, known } = bed({ a: item('a', 'old') });
  const { moment } = changes;
  const before = await changes.current('a');
  expect(await changes.currentSince(moment, 'a', before)).toBe(before);
  expect(asked).toHaveLength(1);
  changes.add({ type: 'put', item: item('a', 'new') });
  expect((await changes.currentSince(moment, 'a', before))?.name).toBe('new');
  changes.nextSection(AT);
  known['a'] = item('a', 'new');
  changes.wereApplied();
  changes.nextSection(AT);
  changes.wereApplied();
  expect((await changes.currentSince(moment, 'a', before))?.name).toBe('new');
});

test('an unchanged object has nothing to commit, and a new one is committed even when it is empty', () => {
  expect(bed().changes.nextSection(AT)).toBeNull();
  const fresh = bed({}, 0).changes;
  expect(fresh.nextSection(AT)).toMatchObject({ revision: 1, changes: [] });
  expect(fresh.nextSection(AT)).toBeNull();
});

test('until its first commit is applied an object that is new has nothing in the catalog; from then on it has what was committed', async () => {
  const { changes, known } = bed({}, 0);
  known['one'] = item('one', 'stored');
  expect(await gathered(changes.currentIds(['message']))).toEqual([]);
  changes.nextSection(AT);
  expect(await gathered(changes.currentIds(['message']))).toEqual([]);
  changes.wereApplied();
  expect(await gathered(changes.currentIds(['message']))).toEqual([{ id: 'one', parentId: null }]);
});

test('of an object that is new the catalog is asked for nothing but what this run has put there', async () => {
  const { asked, known, changes } = bed({}, 0);
  known['one'] = item('one', 'stored');
  expect(await changes.current('one')).toBeNull();
  changes.add({ type: 'put', item: item('one', 'new') });
  expect(await nameOf(changes, 'one')).toBe('new');
  changes.nextSection(AT);
  changes.wereApplied();
  expect(await changes.current('other')).toBeNull();
  expect(asked).toEqual([]);
  expect(await nameOf(changes, 'one')).toBe('stored');
  expect(asked).toEqual([['one']]);
});

test('what did not fit into a commit is remembered until the one that has it is applied', async () => {
  const { changes, known, asked } = bed({ b: item('b', 'old') });
  changes.add({ type: 'put', item: item('a', 'new') });
  changes.add({ type: 'put', item: item('b', 'new') });
  expect(changes.nextSection(AT, 1)?.changes).toHaveLength(1);
  known['a'] = item('a', 'new');
  changes.wereApplied();
  expect((await changes.current('b'))?.name).toBe('new');
  expect(changes.count).toBe(1);
  expect(changes.nextSection(AT)?.changes).toMatchObject([{ item: { id: 'b' } }]);
  known['b'] = item('b', 'new');
  changes.wereApplied();
  expect((await changes.current('b'))?.name).toBe('new');
  expect(asked).toEqual([['b']]);
});
