import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { ObjectKind, ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { textOf } from '../source/graph/json.ts';
import { objectsIn } from '../testing/graph-mailbox.ts';
import { startConnected } from '../testing/graph-tenant.ts';
import { sourceSuite } from './source-suite.ts';

async function open(
  kind: ObjectKind,
  change: (tenant: RunningTenant, object: ProtectedObject, connection: GraphConnection) => Promise<void>,
) {
  const { tenant, connection } = await startConnected();
  const source = openGraphSource(connection);
  const [object] = await objectsIn(source, kind);
  if (object === undefined) throw new Error(`The tenant has no object of the kind ${kind}.`);
  return {
    source,
    object,
    change: () => change(tenant, object, connection),
    losePlaces: () => tenant.setFaults([{ kind: 'sync-state-gone', path: '/teams/*/delta*', times: 3 }]),
    close: () => tenant.stop(),
  };
}

sourceSuite('A team of Microsoft Graph as a source', () => open('team', changeTeam));
sourceSuite('The chats of a person in Microsoft Graph as a source', () => open('chats', changeChats));

async function changeTeam(
  { tenant }: RunningTenant,
  { id }: ProtectedObject,
  connection: GraphConnection,
): Promise<void> {
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
  if (!first || !second || !third) throw new Error('Nobody said anything.');
  const from = { user: { id: 'u1', displayName: 'Ada' } };
  talk.edit(first, 'Edited ünïcode 😀', tenant.nowMs());
  talk.remove(second, tenant.nowMs());
  talk.post({ from, body: { contentType: 'text', content: 'A late reply' } }, tenant.nowMs(), third.id);
  talk.post({ from, body: { contentType: 'text', content: 'New' }, subject: 'News' }, tenant.nowMs() + 5);
  await ask('PATCH', `${team}/channels/${other}`, { displayName: 'Renamed channel' });
  const { value: tabs } = await connection.page({ path: `${team}/channels/${other}/tabs` });
  await ask('DELETE', `${team}/channels/${other}/tabs/${tabs[0]?.['id']}`);
  await ask('DELETE', `${team}/channels/${gone}`);
  await ask('PATCH', team, { description: 'Said anew' });
}

async function changeChats({ tenant }: RunningTenant, { id }: ProtectedObject): Promise<void> {
  const [chat, left] = tenant.chats.of(id);
  const message = chat?.conversation.posts.find(({ deletedMs }) => !deletedMs);
  if (!chat || !message) throw new Error('The person has no chat.');
  const from = { user: { id, displayName: 'Ada' } };
  chat.conversation.post({ from, body: { contentType: 'text', content: 'Hello' } }, tenant.nowMs());
  chat.conversation.edit(message, 'Edited', tenant.nowMs());
  if (left) left.members = left.members.filter((member) => member.id !== id);
}
