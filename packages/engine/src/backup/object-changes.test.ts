import { expect, test } from 'vitest';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { StoredItem } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { ObjectChanges } from './object-changes.ts';

const OBJECT: ProtectedObject = { organizationId: 'o', kind: 'drive', id: 'd', name: 'D', owner: null, address: null };

function itemOf(id: string): StoredItem {
  return { id, kind: 'file', parentId: null, name: id, sizeBytes: 1, modifiedAt: null, details: {}, contents: [] };
}

/** A catalog that knows some items and remembers what it was asked. */
function bed(revision: number, known: readonly string[]) {
  const asked: string[] = [];
  const current: RepositoryCatalog['current'] = async (_, ids) => {
    asked.push(...ids);
    return new Map(ids.filter((id) => known.includes(id)).map((id) => [id, itemOf(id)]));
  };
  // Nothing else of a catalog is asked here.
  const catalog = { current } as Partial<RepositoryCatalog> as RepositoryCatalog;
  return { asked, changes: new ObjectChanges(OBJECT, 'key', revision, catalog) };
}

test('of an object that is new the catalog is asked for nothing but what this run has put there', async () => {
  const { asked, changes } = bed(0, ['one']);
  expect(await changes.current('one')).toBeNull();
  changes.add({ type: 'put', item: itemOf('one') });
  expect(await changes.current('one')).toMatchObject({ id: 'one' });
  changes.take(new Date(0));
  changes.wereApplied();
  expect(await changes.current('other')).toBeNull();
  expect(asked).toEqual([]);
  expect(await changes.current('one')).toMatchObject({ id: 'one' });
  expect(asked).toEqual(['one']);
});

test('of an object that was there before the catalog is asked for everything', async () => {
  const { asked, changes } = bed(3, ['one']);
  expect(await changes.current('one')).toMatchObject({ id: 'one' });
  expect(await changes.current('other')).toBeNull();
  expect(asked).toEqual(['one', 'other']);
});
