import type { GraphConnection } from '../source/graph/connection.ts';
import { textOf } from '../source/graph/json.ts';
import { type GraphObject, openGraphWorld } from '../testing/graph/graph-world.ts';
import { sourceSuite } from './source-suite.ts';

const MAILBOX = { kind: 'mailbox', places: { path: '/users/*/delta*', times: 40 } } as const;

sourceSuite('A mailbox of Microsoft Graph as a source', () => openGraphWorld({ ...MAILBOX, change }));

sourceSuite('A mailbox of Microsoft Graph with what was removed from Deleted Items as a source', () =>
  openGraphWorld({
    ...MAILBOX,
    options: { recoverableItems: true },
    begin: (world) => removeSome(world, 12),
    async change(world) {
      await change(world);
      await removeSome(world, 3);
    },
  }),
);

/** Deletes messages twice: the second time they leave Deleted Items. */
async function removeSome({ connection, object: { id } }: GraphObject, count: number): Promise<void> {
  const headers = { prefer: 'IdType="ImmutableId"' };
  const path = `/users/${id}/mailFolders/deleteditems/messages?$top=${count}&$select=id`;
  for (const message of (await connection.page({ path, headers })).value)
    await connection.ask({ method: 'DELETE', path: `/users/${id}/messages/${message['id']}`, headers });
}

async function change({ connection, object: { id } }: GraphObject): Promise<void> {
  const user = `/users/${id}`;
  const headers = { prefer: 'IdType="ImmutableId"' };
  const inbox = `${user}/mailFolders/inbox/messages`;
  const { value } = await connection.page({ path: `${inbox}?$top=6&$select=id`, headers });
  const [flagged, moved, removed, gone] = value.map((message) => textOf(message['id']) ?? '');
  const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    connection.ask({ method, path, headers, ...(body === undefined ? {} : { body }) });
  await ask('PATCH', `${user}/messages/${flagged}`, { flag: { flagStatus: 'flagged' }, categories: ['Blue'] });
  await ask('POST', `${user}/messages/${moved}/move`, { destinationId: 'archive' });
  await ask('DELETE', `${user}/messages/${removed}`);
  await ask('POST', inbox, { subject: 'New', body: { contentType: 'text', content: 'Hello' } });
  const made = await ask('POST', `${user}/mailFolders`, { displayName: 'Made' });
  await ask('POST', `${user}/messages/${gone}/move`, { destinationId: made['id'] });
  await ask('POST', `${user}/mailFolders/${made['id']}/childFolders`, { displayName: 'Within' });
  const folders = await connection.page({ path: `${user}/mailFolders?$top=100`, headers });
  const full = folders.value.find(
    (folder) => Number(folder['totalItemCount']) > 5 && !isStandard(folder['displayName']),
  );
  await ask('DELETE', `${user}/mailFolders/${full?.['id']}`);
  await changeOthers(connection, user, ask);
}

const isStandard = (name: unknown) =>
  /^(Inbox|Drafts|Sent|Deleted|Junk|Archive|Outbox|Conversation)/.test(String(name));

type Ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;

async function changeOthers(connection: GraphConnection, user: string, ask: Ask): Promise<void> {
  for (const [items, name] of [
    [`${user}/events`, 'subject'],
    [`${user}/contacts`, 'displayName'],
  ] as const) {
    const { value } = await connection.page({ path: `${items}?$top=3&$select=id` });
    await ask('PATCH', `${items}/${value[0]?.['id']}`, { [name]: 'Renamed' });
    await ask('DELETE', `${items}/${value[1]?.['id']}`);
  }
  const lists = await connection.page({ path: `${user}/todo/lists` });
  const tasks = `${user}/todo/lists/${lists.value[0]?.['id']}/tasks`;
  await ask('POST', tasks, { title: 'Buy paper' });
}
