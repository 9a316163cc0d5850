import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { SiteList } from '../../../sandbox/src/microsoft365/sites/lists/site-list.ts';
import type { Site } from '../../../sandbox/src/microsoft365/sites/site.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { GraphSite } from '../source/graph/write-sites/graph-site.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { filledSiteOf } from '../testing/graph/graph-site.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { journalFile } from './journal-files.ts';
import { SitePlace } from './places/site-place.ts';
import { type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { dyingTarget } from './testing/dying-target.ts';
import { KILLED } from './testing/memory-mailbox.ts';

let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
let from: { object: ProtectedObject; inside: Site };
/** A site of the same tenant whose lists are gone. */
let empty: { object: ProtectedObject; inside: Site };

beforeEach(async () => {
  stored = await StoredBackup.create();
  ({ tenant, connection } = await startConnected());
  const source = openGraphSource(connection);
  from = await filledSiteOf(source, tenant);
  const sites = await objectsIn(source, 'site');
  const found = sites
    .map((object) => ({ object, inside: tenant.tenant.sites.site(object.id) }))
    .find(({ object, inside }) => object.id !== from.object.id && !inside.isPersonal && inside.pagesLibrary);
  if (found === undefined) throw new Error('There is one site alone.');
  const { lists } = found.inside;
  for (const { facts } of [...lists.values()].filter(({ facts }) => facts.template === 'genericList'))
    lists.delete(facts.id);
  empty = found;
  await stored.backUpFrom(source, 'site');
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });

type Dying = (site: GraphSite) => GraphSite;

async function restoreInto(
  to: ProtectedObject,
  options: Partial<RestoreOptions> = {},
  { dying = (site) => site, journalPath }: { dying?: Dying; journalPath?: string } = {},
) {
  const object = await stored.catalog.object(stored.repository.objectKey(from.object));
  if (object === null) throw new Error('The site was not stored.');
  const chosen = { ...RESTORE_OPTIONS, ...options };
  const request: RestoreRequest = {
    scope: { object, revision: object.revision, items: null },
    options: chosen,
    to: to.id,
    place: (paths, signal) => {
      const site = { parts: parts(), object: object.key, revision: object.revision };
      return new SitePlace(dying(new GraphSite(connection, to.id)), paths, site, chosen.into, signal);
    },
  };
  const failed: string[] = [];
  const onItem = (item: { outcome: string; reason?: string; name: string; kind: string }) => {
    if (item.outcome === 'failed') failed.push(`${item.kind} ${item.name}: ${item.reason}`);
  };
  return {
    result: await restore({ ...parts(), onItem, ...(journalPath && { journals: journalFile(journalPath) }) }, request),
    failed,
  };
}

const listNamed = (site: Site, name: string): SiteList => {
  const found = [...site.lists.values()].find(({ facts }) => facts.displayName === name);
  if (found === undefined) throw new Error(`There is no list ${name}.`);
  return found;
};

/** What people wrote into rows, with lookups as the titles they lead to; hyperlinks cannot be written. */
function writtenIn(site: Site, name: string) {
  const titles = new Map(listNamed(site, 'Categories').items.map(({ id, fields }) => [id, fields['Title']]));
  const lookedUp = (value: unknown) => [value].flat().map((id) => titles.get(String(id)));
  return listNamed(site, name).items.map(({ fields: { Link: _, ...fields }, versions }) => ({
    ...fields,
    CategoryLookupId: lookedUp(fields['CategoryLookupId'] ?? []),
    RelatedLookupId: lookedUp(fields['RelatedLookupId'] ?? []),
    versions: versions.map(({ fields: { Quantity } }) => Quantity),
  }));
}

test('lists come back in a site that has none: columns, rows with every kind of value, lookups and versions', async () => {
  const { result, failed } = await restoreInto(empty.object);
  expect(failed.filter((line) => !line.startsWith('subsite '))).toEqual([]);
  expect(result.restored).toBeGreaterThan(40);
  const names = (site: Site) => listNamed(site, 'Inventory').columns.map(({ name, kind }) => `${name} ${kind}`);
  expect(names(empty.inside)).toEqual(names(from.inside));
  const byTitle = (rows: ReturnType<typeof writtenIn>) =>
    rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  expect(byTitle(writtenIn(empty.inside, 'Inventory'))).toEqual(byTitle(writtenIn(from.inside, 'Inventory')));
  expect(listNamed(empty.inside, 'Categories').items).toHaveLength(listNamed(from.inside, 'Categories').items.length);
  expect(empty.inside.pages.size).toBeGreaterThanOrEqual(from.inside.pages.size);
});

test('where everything is still there nothing is written', async () => {
  const before = listNamed(from.inside, 'Inventory').changes.position;
  const { result, failed } = await restoreInto(from.object);
  expect(failed).toEqual([]);
  expect(result).toMatchObject({ restored: 0, replaced: 0, failed: 0 });
  expect(listNamed(from.inside, 'Inventory').changes.position).toBe(before);
});

test('what was deleted and changed meanwhile comes back, and the rest is left alone', async () => {
  const list = listNamed(from.inside, 'Inventory');
  const [deleted, changed] = list.items;
  if (!deleted || !changed) throw new Error('The list is empty.');
  const titles = list.items.map(({ fields }) => fields['Title']).toSorted();
  list.remove(deleted);
  list.update(changed, { Notes: 'Overwritten by mistake' }, { by: {}, atMs: tenant.tenant.nowMs() });
  const { result, failed } = await restoreInto(from.object, { conflict: 'replace' });
  expect(failed).toEqual([]);
  expect(result).toMatchObject({ restored: 1, replaced: 1 });
  expect(list.items.map(({ fields }) => fields['Title']).toSorted()).toEqual(titles);
  expect(changed.fields['Notes']).not.toBe('Overwritten by mistake');
});

test('a row that is gone is not mistaken for another of its title that is there, whichever is looked for first', async () => {
  const list = listNamed(from.inside, 'Inventory');
  const [one, other] = list.items;
  if (!one || !other) throw new Error('The list is empty.');
  const change = { by: {}, atMs: tenant.tenant.nowMs() };
  for (const row of [one, other]) list.update(row, { Title: 'Twice', Notes: `It is ${row.id}.` }, change);
  await stored.backUpFrom(openGraphSource(connection), 'site');
  const notes = () => list.items.map(({ fields }) => `${fields['Title']}: ${fields['Notes']}`).toSorted();
  const before = notes();
  for (const gone of [one, other]) {
    list.remove(gone);
    const there = list.items.find(({ fields }) => fields['Title'] === 'Twice');
    expect((await restoreInto(from.object)).result).toMatchObject({ restored: 1, replaced: 0 });
    expect(notes()).toEqual(before);
    expect(list.items).toContain(there);
    await stored.backUpFrom(openGraphSource(connection), 'site');
  }
});

test('rows that refer to each other in a circle all come back, and what cannot be said is reported', async () => {
  const made = from.inside;
  const list = listNamed(made, 'Categories');
  const path = `/sites/${from.object.id}/lists/${list.facts.id}`;
  const lookup = { listId: list.facts.id, columnName: 'Title', allowMultipleValues: false };
  const [first, second] = list.items;
  await connection.ask({ method: 'POST', path: `${path}/columns`, body: { name: 'Next', lookup } });
  const refer = (id: string | undefined, to: string | undefined) =>
    connection.ask({ method: 'PATCH', path: `${path}/items/${id}/fields`, body: { NextLookupId: to } });
  await refer(first?.id, second?.id);
  await refer(second?.id, first?.id);
  await stored.backUpFrom(openGraphSource(connection), 'site');
  const { result } = await restoreInto(empty.object);
  expect(listNamed(empty.inside, 'Categories').items).toHaveLength(list.items.length);
  expect(Object.keys(result.losses).join()).toMatch(/a reference in ‘Next’/);
});

test('a second restore into the same site makes nothing twice', async () => {
  await restoreInto(empty.object);
  const count = listNamed(empty.inside, 'Inventory').items.length;
  const { result } = await restoreInto(empty.object);
  expect(result).toMatchObject({ restored: 0, replaced: 0 });
  expect(listNamed(empty.inside, 'Inventory').items).toHaveLength(count);
});

test('killed again and again, a restore leaves no row, list or page doubled and none missing', {
  timeout: 300_000,
}, async () => {
  const journalPath = stored.file('restore.jsonl');
  let kills = 0;
  for (let isOver = false; !isOver; ) {
    const dying: Dying = kills < 14 ? (site) => dyingTarget(site, 3 + 4 * kills, kills % 2 === 1) : (site) => site;
    isOver = await restoreInto(empty.object, {}, { dying, journalPath }).then(
      () => true,
      (error: unknown) => {
        if (error !== KILLED) throw error;
        kills += 1;
        return false;
      },
    );
  }
  expect(kills).toBeGreaterThan(5);
  const byTitle = (rows: ReturnType<typeof writtenIn>) =>
    rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  expect(byTitle(writtenIn(empty.inside, 'Inventory'))).toEqual(byTitle(writtenIn(from.inside, 'Inventory')));
  for (const name of ['Inventory', 'Categories']) {
    const lists = [...empty.inside.lists.values()].filter(({ facts }) => facts.displayName.startsWith(name));
    expect(lists.map(({ items }) => items.length)).toEqual([listNamed(from.inside, name).items.length]);
  }
  const names = [...empty.inside.pages.values()].map(({ title }) => title);
  expect(new Set(names).size).toBe(names.length);
});
