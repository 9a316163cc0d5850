import { expect, test } from 'vitest';
import type { CatalogObject } from '../catalog/catalog.ts';
import type { ItemKind, ItemVersion } from '../model/items.ts';
import type { ObjectKind } from '../model/protected-object.ts';
import { pickSample } from './pick-sample.ts';

const { signal } = new AbortController();

function objectOf(key: string, kind: ObjectKind = 'mailbox') {
  const about = { organizationId: 'tenant', kind, id: key, name: key, owner: null, address: null };
  const object: CatalogObject = { ...about, key, revision: 1, cursors: new Map(), lost: [] };
  return { object, revision: 1 };
}

function versionOf(id: string, kind: ItemKind, sizeBytes: number): ItemVersion {
  const about = { id, kind, parentId: null, name: id, sizeBytes, modifiedAt: null, details: {} };
  const contents = [{ name: 'properties', sizeBytes, segments: [] } as const];
  return { ...about, contents, firstRevision: 1, lastRevision: null, endedAt: null };
}

/** A catalog of objects by their keys, that counts which were looked through. */
function catalogOf(itemsOf: (key: string) => readonly ItemVersion[]) {
  const walked: string[] = [];
  return {
    walked,
    async *walk(key: string) {
      walked.push(key);
      yield* itemsOf(key);
    },
  };
}

const messages = (count: number, sizeBytes = 10) =>
  Array.from({ length: count }, (_, number) => versionOf(`message ${number}`, 'message', sizeBytes));

test('picks one of each kind, however rare it is among thousands of another', async () => {
  const rare = [versionOf('event', 'event', 10), versionOf('task', 'task', 10), versionOf('contact', 'contact', 10)];
  const catalog = catalogOf(() => [...messages(5_000), ...rare]);
  const sample = await pickSample(catalog, [objectOf('ada')], { items: 20, bytes: 1_000 }, signal);
  expect(sample).toHaveLength(20);
  expect(sample.map(({ version }) => version.id)).toEqual(expect.arrayContaining(['event', 'task', 'contact']));
  expect(new Set(sample.map(({ version }) => version.id)).size).toBe(20);
});

test('picks others the next time, from all over the object', async () => {
  const seen = new Set<string>();
  for (let times = 0; times < 40; times += 1) {
    const catalog = catalogOf(() => messages(100));
    const sample = await pickSample(catalog, [objectOf('ada')], { items: 20, bytes: 1_000 }, signal);
    for (const { version } of sample) seen.add(version.id);
  }
  // Each of the hundred is missed with a chance of 0.8 to the 40th power.
  expect(seen.size).toBeGreaterThan(95);
});

test('picks no more bytes than it may read, and smaller items in place of those that are too large', async () => {
  const catalog = catalogOf(() => [...messages(50, 300), versionOf('huge', 'file', 5_000), ...messages(5, 1)]);
  const sample = await pickSample(catalog, [objectOf('ada')], { items: 20, bytes: 1_000 }, signal);
  const bytes = sample.reduce((sum, { version }) => sum + version.sizeBytes, 0);
  expect(bytes).toBeLessThanOrEqual(1_000);
  expect(sample.length).toBeGreaterThan(0);
  expect(sample.map(({ version }) => version.id)).not.toContain('huge');
});

test('looks through some of many objects, at least one of each kind', async () => {
  const mailboxes = Array.from({ length: 500 }, (_, number) => objectOf(`mailbox ${number}`));
  const catalog = catalogOf((key) => [versionOf(`item of ${key}`, key === 'site' ? 'page' : 'message', 10)]);
  const objects = [...mailboxes, objectOf('site', 'site'), objectOf('drive', 'drive')];
  const sample = await pickSample(catalog, objects, { items: 20, bytes: 1_000 }, signal);
  expect(catalog.walked).toHaveLength(40);
  expect(catalog.walked).toEqual(expect.arrayContaining(['site', 'drive']));
  expect(sample.map(({ version }) => version.id)).toContain('item of site');
});

test('picks nothing of a restore point without items', async () => {
  expect(
    await pickSample(
      catalogOf(() => []),
      [],
      { items: 20, bytes: 1_000 },
      signal,
    ),
  ).toEqual([]);
});
