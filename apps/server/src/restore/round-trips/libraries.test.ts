import {
  downloadLibrary,
  downloadSiteDocuments,
  downloadSiteFolder,
  listSiteDocuments,
  listSiteFolders,
  restoreLibraryToAnother,
  restoreLibraryToOriginal,
  restoreSiteDocumentsToAnother,
  restoreSiteDocumentsToOriginal,
  restoreSiteFolderToAnother,
  restoreSiteFolderToOriginal,
  type SiteNode,
  weighSite,
} from '@keepwatch/contract/restore/sites';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { type BackedUpSite, backedUpSites, filledFolder } from '../testing/backed-up-sites.ts';
import { successOf } from '../testing/bed-session.ts';
import { bytesOf, zipFiles } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { allOf, filesBelow, inPath } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
let from: BackedUpSite;
let to: BackedUpSite;
/** What the library had when it was backed up. */
let before: ReadonlyMap<string, string>;
let folder: SiteNode;
let inFolder: ReadonlyMap<string, string>;

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['drive', 'site'], users: 0, sites: 4 });
  caller = await bed.asAdministrator();
  const [first, second] = await backedUpSites(bed, caller);
  if (first === undefined || second === undefined) throw new Error('The backup has fewer than two sites of groups.');
  [from, to] = [first, second];
  before = await filesBelow(bed, from.library.id);
  ({ folder, files: inFolder } = await filledFolder(bed, caller, from));
});
afterAll(() => bed.stop());

const libraryId = () => from.library.id;
const ofTenant = (id: string) => id.slice(libraryId().length + 1);
const remove = (id: string) =>
  bed.connection.ask({ method: 'DELETE', path: `/drives/${libraryId()}/items/${ofTenant(id)}` });

async function someDocuments() {
  const query = { parentId: libraryId(), limit: 2 };
  return (await caller.call(listSiteDocuments, { params: from.params, query })).data.results;
}

const sorted = (files: ReadonlyMap<string, string>) => [...files.values()].toSorted();

it('folders of a library are those that the tenant has', async () => {
  const query = { parentId: libraryId(), limit: 100 };
  const { results } = (await caller.call(listSiteFolders, { params: from.params, query })).data;
  const children = await allOf(bed, `/drives/${libraryId()}/root/children?$top=200`);
  const names = children.filter((one) => one['folder'] !== undefined).map(({ name }) => String(name));
  expect(results.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(results.every(({ type, parentId }) => type === 'folder' && parentId === libraryId())).toBe(true);
});

it('a library, a folder and documents are ZIPs of the bytes that the tenant has', async () => {
  const { params } = from;
  const library = await bytesOf(await caller.send(downloadLibrary, { params, body: { libraryId: libraryId() } }));
  expect(sorted(zipFiles(library))).toEqual(sorted(before));
  const weight = (await caller.call(weighSite, { params, body: { parentId: libraryId() } })).data;
  // Folders are counted, too.
  expect(weight.items).toBeGreaterThanOrEqual(before.size);
  const ofFolder = await bytesOf(await caller.send(downloadSiteFolder, { params, body: { folderId: folder.id } }));
  expect(sorted(zipFiles(ofFolder))).toEqual(sorted(inFolder));
  const documents = await someDocuments();
  const body = { documents: documents.map(({ id }) => ({ id })) };
  const files = zipFiles(await bytesOf(await caller.send(downloadSiteDocuments, { params, body })));
  expect(files).toEqual(new Map(documents.map(({ name }) => [name, before.get(name) ?? ''])));
});

it('a folder that was deleted comes back with all that was in it', async () => {
  await remove(folder.id);
  const body = { folders: [{ id: folder.id }] };
  const begun = await caller.call(restoreSiteFolderToOriginal, { params: from.params, body });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: inFolder.size });
  expect(await filesBelow(bed, libraryId())).toEqual(before);
});

it('documents that were deleted come back', async () => {
  const documents = await someDocuments();
  for (const { id } of documents) await remove(id);
  const body = { documents: documents.map(({ id }) => ({ id })) };
  const begun = await caller.call(restoreSiteDocumentsToOriginal, { params: from.params, body });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: documents.length });
  expect(await filesBelow(bed, libraryId())).toEqual(before);
});

it('a library of which all was deleted comes back whole', async () => {
  for (const { id } of await allOf(bed, `/drives/${libraryId()}/root/children?$top=200`))
    await remove(`${libraryId()}:${id}`);
  expect((await filesBelow(bed, libraryId())).size).toBe(0);
  const begun = await caller.call(restoreLibraryToOriginal, {
    params: from.params,
    body: { libraryId: libraryId() },
  });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: before.size });
  expect(await filesBelow(bed, libraryId())).toEqual(before);
});

it('a library, a folder and documents go into another site, beside what is there', async () => {
  const { params } = from;
  const there = await filesBelow(bed, to.library.id);
  const into = (name: string) => ({ siteURL: to.url, options: { folder: name } });
  const library = { ...into('Library'), libraryId: libraryId() };
  await successOf(bed, caller, await caller.call(restoreLibraryToAnother, { params, body: library }));
  const ofFolder = { ...into('Folder'), folderId: folder.id };
  await successOf(bed, caller, await caller.call(restoreSiteFolderToAnother, { params, body: ofFolder }));
  const documents = await someDocuments();
  const some = { ...into('Documents of theirs'), documents: documents.map(({ id }) => ({ id })) };
  await successOf(bed, caller, await caller.call(restoreSiteDocumentsToAnother, { params, body: some }));
  const after = await filesBelow(bed, to.library.id);
  expect(inPath(after, 'Library')).toEqual(before);
  expect(inPath(inPath(after, 'Folder'), folder.name)).toEqual(inFolder);
  expect(inPath(after, 'Documents of theirs')).toEqual(
    new Map(documents.map(({ name }) => [name, before.get(name) ?? ''])),
  );
  for (const [path, hash] of there) expect(after.get(path)).toBe(hash);
});
