import { textOf } from '../source/graph/json.ts';
import { type GraphObject, openGraphWorld } from '../testing/graph/graph-world.ts';
import { sourceSuite } from './source-suite.ts';

const places = { path: '/teams/*/delta*', times: 3 };

sourceSuite('A team of Microsoft Graph as a source', () =>
  openGraphWorld({ kind: 'team', change: changeTeam, places }),
);
sourceSuite('The chats of a person in Microsoft Graph as a source', () =>
  openGraphWorld({ kind: 'chats', change: changeChats, places }),
);

async function changeTeam({ tenant: { tenant }, connection, object: { id } }: GraphObject): Promise<void> {
  const team = `/teams/${id}`;
  const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    connection.ask({ method, path, ...(body === undefined ? {} : { body }) });
  const { value: channels } = await connection.page({ path: `${team}/channels` });
  const [general, other, gone] = channels.map((channel) => textOf(channel['id']) ?? '');
  const talk = tenant.teams.find(id)?.channels.get(general ?? '')?.conversation;
  if (talk === undefined) throw new Error('The team has no channel General.');
  const [first, second, third] = talk.posts.filter(
    ({ messageType, deletedMs }) => messageType === 'message' && !deletedMs,
  );
  if (!first || !second || !third) throw new Error('There are no messages.');
  const from = { user: { id: 'u1', displayName: 'Ada' } };
  talk.edit(first, 'Edited ünïcode 😀', tenant.nowMs());
  talk.remove(second, tenant.nowMs());
  talk.post({ from, body: { contentType: 'text', content: 'A late reply' } }, tenant.nowMs(), third.id);
  talk.post({ from, body: { contentType: 'text', content: 'New' }, subject: 'News' }, tenant.nowMs() + 5);
  await ask('PATCH', `${team}/channels/${other}`, { displayName: 'Renamed channel' });
  const { value: tabs } = await connection.page({ path: `${team}/channels/${other}/tabs` });
  await ask('DELETE', `${team}/channels/${other}/tabs/${tabs[0]?.['id']}`);
  await ask('DELETE', `${team}/channels/${gone}`);
  await ask('PATCH', team, { description: 'Said again' });
}

async function changeChats({ tenant: { tenant }, object: { id } }: GraphObject): Promise<void> {
  const [chat, left] = tenant.chats.of(id);
  const message = chat?.conversation.posts.find(({ deletedMs }) => !deletedMs);
  if (!chat || !message) throw new Error('The person has no chat.');
  const from = { user: { id, displayName: 'Ada' } };
  chat.conversation.post({ from, body: { contentType: 'text', content: 'Hello' } }, tenant.nowMs());
  chat.conversation.edit(message, 'Edited', tenant.nowMs());
  if (left) left.members = left.members.filter((member) => member.id !== id);
}
