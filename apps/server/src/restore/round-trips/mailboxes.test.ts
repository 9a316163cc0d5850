import {
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  restoreMailboxToAnother,
  restoreMailboxToOriginal,
  restoreMailFolderToAnother,
  restoreMailFolderToOriginal,
  restoreMailItemsToAnother,
} from '@keepwatch/contract/restore/mailboxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf, successOf } from '../testing/bed-session.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { filled, mailsByFolder } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
/** Two mailboxes of people; the first is restored from, and has an inbox with messages. */
let params: { restoreSessionId: string; mailboxId: string };
let inbox: { id: string; name: string };
let other: { id: string; email: string };

beforeAll(async () => {
  bed = await startRestoreBed({ users: 4 });
  caller = await bed.asAdministrator();
  const restoreSessionId = await openSessionOf(bed, caller, 'vex');
  const { results } = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId } })).data;
  const [own, another] = results.filter(({ isArchive, isGroup }) => !isArchive && !isGroup);
  params = { restoreSessionId, mailboxId: own?.id ?? '' };
  other = { id: another?.id ?? '', email: another?.email ?? '' };
  const folders = (await caller.call(listMailboxFolders, { params, query: { limit: 50 } })).data.results;
  inbox = folders.find(({ category }) => category === 'inbox') ?? { id: '', name: '' };
});
afterAll(() => bed.stop());

const mailsOf = (userId: string) => mailsByFolder(bed, userId);
const remove = (id: string) =>
  bed.connection.ask({ method: 'DELETE', path: `/users/${params.mailboxId}/messages/${id}` });

/** Messages of a folder below another one, by the rest of their paths. */
async function mailsIn(userId: string, folder: string): Promise<Map<string, string[]>> {
  const below = [...filled(await mailsOf(userId))].filter(([path]) => path.startsWith(`/${folder}/`));
  return new Map(below.map(([path, ids]) => [path.slice(folder.length + 1), ids]));
}

const someOf = async (limit: number) =>
  (await caller.call(listMailboxItems, { params, query: { parentId: inbox.id, limit, sort: '-date' } })).data.results;

it('a folder comes back to where it was, with what was deleted of it', async () => {
  const before = (await mailsOf(params.mailboxId)).get(`/${inbox.name}`);
  for (const { id } of await someOf(2)) await remove(id);
  expect((await mailsOf(params.mailboxId)).get(`/${inbox.name}`)).toHaveLength((before?.length ?? 0) - 2);
  const begun = await caller.call(restoreMailFolderToOriginal, { params: { ...params, folderId: inbox.id }, body: {} });
  expect(await successOf(bed, caller, begun)).toMatchObject({ restored: 2 });
  expect((await mailsOf(params.mailboxId)).get(`/${inbox.name}`)).toEqual(before);
});

it('a folder goes into the mailbox of another person with all below it, and nothing else', async () => {
  const before = await mailsOf(params.mailboxId);
  const body = { mailbox: other.email, folder: 'Successor' };
  const begun = await caller.call(restoreMailFolderToAnother, { params: { ...params, folderId: inbox.id }, body });
  await successOf(bed, caller, begun);
  const expected = [...filled(before)].filter(([path]) => `${path}/`.startsWith(`/${inbox.name}/`));
  expect(await mailsIn(other.id, 'Successor')).toEqual(new Map(expected));
});

it('some messages go into a folder of their own', async () => {
  const items = (await someOf(3)).map(({ id }) => ({ id }));
  const body = { items, folder: 'A few' };
  const end = await successOf(bed, caller, await caller.call(restoreMailItemsToAnother, { params, body }));
  expect(end).toMatchObject({ restored: 3 });
  const ids = await Promise.all(
    items.map(async ({ id }) => {
      const path = `/users/${params.mailboxId}/messages/${id}?$select=internetMessageId`;
      return String((await bed.connection.ask({ path }))['internetMessageId']);
    }),
  );
  expect([...(await mailsIn(params.mailboxId, 'A few')).values()].flat()).toEqual(ids.toSorted());
});

it('a mailbox goes into another one, folder by folder', async () => {
  const folders = (await caller.call(listMailboxFolders, { params, query: { limit: 50 } })).data.results;
  const names = folders.filter(({ type }) => type === 'mail-folder').map(({ name }) => name);
  const before = await mailsOf(params.mailboxId);
  const body = { mailbox: other.id, folder: 'Predecessor' };
  await successOf(bed, caller, await caller.call(restoreMailboxToAnother, { params, body }));
  const expected = [...filled(before)].filter(([path]) => names.includes(path.split('/')[1] ?? ''));
  const restored = await mailsIn(other.id, 'Predecessor');
  expect([...restored.keys()]).toEqual(expected.map(([path]) => path).filter((path) => restored.has(path)));
  expect(restored.get(`/${inbox.name}`)).toEqual(before.get(`/${inbox.name}`));
}, 120_000);

it('a mailbox comes back to where it was: what is there is left alone, and what is gone is written', async () => {
  const before = filled(await mailsOf(params.mailboxId));
  // Not those that came back before: they have other ids now.
  for (const { id } of (await someOf(6)).slice(3)) await remove(id);
  const contacts = await bed.connection.page({ path: `/users/${params.mailboxId}/contacts` });
  const [contact] = contacts.value;
  await bed.connection.ask({ method: 'DELETE', path: `/users/${params.mailboxId}/contacts/${contact?.['id']}` });
  const end = await successOf(bed, caller, await caller.call(restoreMailboxToOriginal, { params, body: {} }));
  expect(end.restored).toBe(contact === undefined ? 3 : 4);
  const after = filled(await mailsOf(params.mailboxId));
  expect(after.get(`/${inbox.name}`)).toEqual(before.get(`/${inbox.name}`));
  const names = (await bed.connection.page({ path: `/users/${params.mailboxId}/contacts` })).value;
  expect(names.map((one) => one['displayName'])).toContain(contact?.['displayName']);
}, 120_000);
