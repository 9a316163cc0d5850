import {
  listSiteItems,
  restoreListToAnother,
  restoreListToOriginal,
  restoreSiteItemsToAnother,
  restoreSiteItemsToOriginal,
  restoreSiteToAnother,
  restoreSiteToOriginal,
} from '@keepwatch/contract/restore/sites';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { type BackedUpSite, backedUpSites } from '../testing/backed-up-sites.ts';
import { successOf } from '../testing/bed-session.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { allOf, filesBelow, inPath, titlesOf } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
let from: BackedUpSite;
let to: BackedUpSite;
/** Titles of the list when it was backed up. */
let titles: string[];

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['drive', 'site'], users: 0, sites: 4 });
  caller = await bed.asAdministrator();
  const all = await backedUpSites(bed, caller);
  // A site goes whole into one that has all of its libraries.
  const [first, second] = all.filter(({ libraries }) => libraries === 1);
  if (first === undefined || second === undefined) throw new Error('The backup has fewer than two sites of groups.');
  [from, to] = [first, second];
  titles = await titlesNow(from);
});
afterAll(() => bed.stop());

const titlesNow = ({ params, list }: BackedUpSite, listId = list.id) => titlesOf(bed, params.siteId, listId);

async function rowsOf({ params, list }: BackedUpSite, limit: number) {
  return (await caller.call(listSiteItems, { params, query: { parentId: list.id, limit } })).data.results;
}

/** Deletes the first rows of the list in the tenant. */
async function removeRows({ params: { siteId }, list }: BackedUpSite, count: number): Promise<void> {
  const path = `/sites/${siteId}/lists/${list.id}/items`;
  for (const { id } of (await allOf(bed, path)).slice(0, count))
    await bed.connection.ask({ method: 'DELETE', path: `${path}/${id}` });
}

/** The list of the other site that a restore made of the first one's. */
async function listNamed(text: string): Promise<string> {
  const lists = await allOf(bed, `/sites/${to.params.siteId}/lists`);
  const found = lists.filter(({ displayName }) => displayName === `Inventory (${text})`);
  expect(found).toHaveLength(1);
  return String(found[0]?.['id']);
}

it('a list comes back with the rows that were deleted', async () => {
  await removeRows(from, 3);
  const body = { listId: from.list.id };
  const begun = await caller.call(restoreListToOriginal, { params: from.params, body });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: 3 });
  expect(await titlesNow(from)).toEqual(titles);
});

it('rows that were chosen come back, and no others', async () => {
  const rows = await rowsOf(from, 100);
  await removeRows(from, titles.length);
  const items = rows.slice(0, 4).map(({ id }) => ({ id }));
  const begun = await caller.call(restoreSiteItemsToOriginal, { params: from.params, body: { items } });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: 4 });
  const chosen = rows.slice(0, 4).map(({ title }) => title);
  expect(await titlesNow(from)).toEqual(chosen.toSorted());
  await successOf(
    bed,
    caller,
    await caller.call(restoreListToOriginal, { params: from.params, body: { listId: from.list.id } }),
  );
  expect(await titlesNow(from)).toEqual(titles);
});

it('a list and some rows go into another site, into lists of their own', async () => {
  const { params, list } = from;
  const there = await titlesNow(to);
  const whole = { listId: list.id, siteURL: to.url, options: { folder: 'moved' } };
  await successOf(bed, caller, await caller.call(restoreListToAnother, { params, body: whole }));
  expect(await titlesNow(to, await listNamed('moved'))).toEqual(titles);
  const rows = await rowsOf(from, 2);
  const items = rows.map(({ id }) => ({ id }));
  const some = { items, listId: list.id, siteURL: to.url, options: { folder: 'a few' } };
  await successOf(bed, caller, await caller.call(restoreSiteItemsToAnother, { params, body: some }));
  expect(await titlesNow(to, await listNamed('a few'))).toEqual(rows.map(({ title }) => title).toSorted());
  expect(await titlesNow(to)).toEqual(there);
});

it('a site comes back with its rows, pages and files', async () => {
  const { siteId } = from.params;
  const pages = () => allOf(bed, `/sites/${siteId}/pages`);
  const [files, named] = [await filesBelow(bed, from.library.id), (await pages()).map(({ title }) => title)];
  await removeRows(from, 2);
  const [page] = await pages();
  await bed.connection.ask({ method: 'DELETE', path: `/sites/${siteId}/pages/${page?.['id']}` });
  const [file] = await allOf(bed, `/drives/${from.library.id}/root/children`);
  await bed.connection.ask({ method: 'DELETE', path: `/drives/${from.library.id}/items/${file?.['id']}` });
  const begun = await caller.call(restoreSiteToOriginal, { params: from.params, body: {} });
  await successOf(bed, caller, begun);
  expect(await titlesNow(from)).toEqual(titles);
  expect((await pages()).map(({ title }) => title).toSorted()).toEqual(named.toSorted());
  expect(await filesBelow(bed, from.library.id)).toEqual(files);
});

it('a site goes into another one, beside what is there', async () => {
  const [files, there] = [await filesBelow(bed, from.library.id), await titlesNow(to)];
  const body = { siteURL: to.url, options: { folder: 'Merged' } };
  await successOf(bed, caller, await caller.call(restoreSiteToAnother, { params: from.params, body }));
  const lists = await allOf(bed, `/sites/${to.params.siteId}/lists`);
  const merged = lists.find(({ displayName }) => /Inventory.*Merged/.test(String(displayName)));
  expect(await titlesNow(to, String(merged?.['id']))).toEqual(titles);
  expect(inPath(await filesBelow(bed, to.library.id), 'Merged')).toEqual(files);
  expect(await titlesNow(to)).toEqual(there);
});
