import {
  downloadDrive,
  downloadDriveDocument,
  downloadDriveFolder,
  listDriveDocuments,
  listDriveFolders,
  listRestoreDrives,
  restoreDriveFolder,
  restoreWholeDrive,
  weighDrive,
} from '@keepwatch/contract/restore/drives';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf, successOf } from '../testing/bed-session.ts';
import { bytesOf, zipFiles } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { filesBelow, inPath } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
let params: { restoreSessionId: string; onedriveId: string };
let other: { id: string };
/** What the tenant had when it was backed up. */
let before: ReadonlyMap<string, string>;
let folder: { id: string; name: string };

const top = { parentId: 'Root', limit: 100 };

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['drive'], usersAfter: 2, users: 3 });
  caller = await bed.asAdministrator();
  const restoreSessionId = await openSessionOf(bed, caller, 'veod');
  const drives = (await caller.call(listRestoreDrives, { params: { restoreSessionId } })).data.results;
  const [own, another] = drives;
  params = { restoreSessionId, onedriveId: own?.id ?? '' };
  other = { id: another?.id ?? '' };
  before = await filesBelow(bed, params.onedriveId);
  const folders = (await caller.call(listDriveFolders, { params, query: top })).data.results;
  folder = folders.find(({ name }) => inPath(before, name).size > 0) ?? { id: '', name: '' };
});
afterAll(() => bed.stop());

const remove = (id: string) =>
  bed.connection.ask({ method: 'DELETE', path: `/drives/${params.onedriveId}/items/${id}` });

it('a OneDrive is a ZIP of the bytes that the tenant has, of which as many are weighed', async () => {
  const files = zipFiles(await bytesOf(await caller.send(downloadDrive, { params, body: {} })));
  expect([...files.values()].toSorted()).toEqual([...before.values()].toSorted());
  expect([...files.keys()].filter((path) => before.has(path)).length).toBeGreaterThan(0);
  // Folders are counted, too.
  expect((await caller.call(weighDrive, { params, body: {} })).data.items).toBeGreaterThanOrEqual(before.size);
});

it('a folder and a document are ZIPs of their own', async () => {
  const folders = { folders: [{ id: folder.id }] };
  const ofFolder = zipFiles(await bytesOf(await caller.send(downloadDriveFolder, { params, body: folders })));
  expect([...ofFolder.values()].toSorted()).toEqual([...inPath(before, folder.name).values()].toSorted());
  const [document] = (await caller.call(listDriveDocuments, { params, query: top })).data.results;
  const documents = { documents: [{ id: document?.id ?? '' }] };
  const ofDocument = zipFiles(await bytesOf(await caller.send(downloadDriveDocument, { params, body: documents })));
  expect([...ofDocument]).toEqual([[document?.name, before.get(document?.name ?? '')]]);
});

it('a folder that was deleted comes back with all that was in it', async () => {
  await remove(folder.id);
  expect(inPath(await filesBelow(bed, params.onedriveId), folder.name).size).toBe(0);
  const body = { folders: [{ id: folder.id }] };
  const end = await successOf(bed, caller, await caller.call(restoreDriveFolder, { params, body }));
  expect(end.restored).toBe(inPath(before, folder.name).size);
  expect(await filesBelow(bed, params.onedriveId)).toEqual(before);
});

it('a folder goes into the OneDrive of another person', async () => {
  const body = { folders: [{ id: folder.id }], onedrive: other.id, options: { folder: 'From a colleague' } };
  const begun = await caller.call(restoreDriveFolder, { params, body });
  // People know a OneDrive by its name, not by the id by which it was chosen.
  expect(begun.data.target).not.toContain(other.id);
  expect(begun.data.target).toMatch(/, folder From a colleague$/);
  await successOf(bed, caller, begun);
  const restored = inPath(await filesBelow(bed, other.id), 'From a colleague');
  expect(inPath(restored, folder.name)).toEqual(inPath(before, folder.name));
});

it('a OneDrive comes back whole after all of it was deleted', async () => {
  const { value } = await bed.connection.page({ path: `/drives/${params.onedriveId}/root/children?$top=200` });
  for (const { id, remoteItem } of value) if (remoteItem === undefined) await remove(String(id));
  expect((await filesBelow(bed, params.onedriveId)).size).toBe(0);
  const end = await successOf(bed, caller, await caller.call(restoreWholeDrive, { params, body: {} }));
  expect(end.restored).toBe(before.size);
  expect(await filesBelow(bed, params.onedriveId)).toEqual(before);
});

it('a OneDrive goes whole into that of another person, beside what is there', async () => {
  const there = await filesBelow(bed, other.id);
  const body = { onedrive: other.id, options: { folder: 'Predecessor', documentVersion: 'Last' as const } };
  await successOf(bed, caller, await caller.call(restoreWholeDrive, { params, body }));
  const after = await filesBelow(bed, other.id);
  expect(inPath(after, 'Predecessor')).toEqual(before);
  for (const [path, hash] of there) expect(after.get(path)).toBe(hash);
});
