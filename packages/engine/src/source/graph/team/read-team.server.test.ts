import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import type { ObjectKind } from '../../../model/protected-object.ts';
import { objectsIn } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { observedSend } from '../../../testing/observed-send.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

async function read(kind: ObjectKind) {
  const wire = { sent: 0 };
  const send = observedSend(() => {
    wire.sent += 1;
  });
  const started = await startConnected({}, { send });
  tenant = started.tenant;
  const source = openGraphSource(started.connection);
  const [object] = await objectsIn(source, kind);
  if (object === undefined) throw new Error(`The tenant has no ${kind}.`);
  const replica = new Replica(source, object);
  await replica.read();
  started.tenant.resetRequests();
  const ofKind = (one: string) => [...replica.items.values()].filter(({ item }) => item.kind === one);
  return { wire, tenant: started.tenant, state: started.tenant.tenant, replica, object, ofKind };
}

test('an unchanged team takes three requests on the wire, and asks for no message', async () => {
  const { wire, tenant: running, replica } = await read('team');
  // The first delta round returns the last eight months again.
  await replica.read();
  running.resetRequests();
  wire.sent = 0;
  await replica.read();
  expect(wire.sent).toBe(3);
  const asked = Object.keys(running.requests().byOperation);
  expect(asked.filter((operation) => /messages(\/\{|$)/.test(operation))).toEqual([]);
});

test('every post and reply of every channel is stored, also those older than what a delta returns', async () => {
  const { state, object, ofKind } = await read('team');
  const channels = [...(state.teams.find(object.id)?.channels.values() ?? [])];
  expect(
    ofKind('channel')
      .map(({ item }) => item.details.role)
      .toSorted(),
  ).toContain('private');
  const all = channels.flatMap(({ conversation }) => conversation.all);
  expect(ofKind('post').length + ofKind('reply').length).toBe(all.length);
  expect(ofKind('reply').length).toBe(all.filter(({ replyToId }) => replyToId !== null).length);
});

test('pictures in a text are stored with it, byte for byte, and not read again when the text is edited', async () => {
  const { tenant: running, state, object, replica } = await read('team');
  const channels = [...(state.teams.find(object.id)?.channels.values() ?? [])];
  const found = channels
    .flatMap(({ id, conversation }) => conversation.all.map((message) => ({ id, conversation, message })))
    .find(({ message }) => message.hostedContents.length > 0 && message.deletedMs === undefined);
  if (found === undefined) throw new Error('No message has a picture.');
  const { id, conversation, message } = found;
  const post = message.replyToId === null ? message.id : `${message.replyToId}/replies/${message.id}`;
  const [picture] = message.hostedContents;
  const storedPicture = () => replica.bytesOf(`${id}/messages/${post}`, `hosted/${picture?.id}`);
  expect(storedPicture()).toEqual(picture?.bytes);
  conversation.edit(message, `${message.body.content} edited`, state.nowMs());
  running.resetRequests();
  await replica.read();
  expect(storedPicture()).toEqual(picture?.bytes);
  const asked = Object.keys(running.requests().byOperation);
  expect(asked.filter((operation) => operation.includes('hostedContents'))).toEqual([]);
});

test('a team is stored with its settings, members, apps and tabs', async () => {
  const { ofKind, state, object } = await read('team');
  const settings = JSON.parse(ofKind('team')[0]?.bytes.get('properties')?.toString() ?? '{}');
  expect(settings).toMatchObject({ id: object.id, memberSettings: {}, messagingSettings: {} });
  const team = state.teams.find(object.id);
  expect(ofKind('app')).toHaveLength(team?.installedApps.length ?? -1);
  expect(ofKind('tab')).toHaveLength([...(team?.channels.values() ?? [])].flatMap(({ tabs }) => tabs).length);
  expect(ofKind('member').filter(({ item }) => item.parentId === null).length).toBeGreaterThan(0);
});

test('an unchanged person with chats costs two requests', async () => {
  const { tenant: running, replica, ofKind, state, object } = await read('chats');
  expect(ofKind('chat')).toHaveLength(state.chats.of(object.id).length);
  expect(ofKind('chat-message')).toHaveLength(
    state.chats.of(object.id).flatMap(({ conversation }) => conversation.all).length,
  );
  await replica.read();
  expect(running.requests().total).toBe(2);
});

test('where the export of chats is not to be had, chats are read one by one', async () => {
  const { tenant: running, object, replica } = await read('chats');
  running.setFaults([
    { kind: 'throttle', path: '/users/*/getAllMessages*', parameters: { status: 402, as: 'nothing' } },
  ]);
  const one = new Replica(replica.source, object);
  await one.read();
  expect([...one.items.keys()].toSorted()).toEqual([...replica.items.keys()].toSorted());
  await one.read();
  expect(one.lost.size).toBe(0);
});

test('a channel whose next page has expired since the last run is read from its beginning', async () => {
  const { tenant: running, state, object, replica, ofKind } = await read('team');
  const before = ofKind('post').length;
  const [channel] = [...(state.teams.find(object.id)?.channels.values() ?? [])];
  const page = `${running.graphUrl}/v1.0/teams/${object.id}/channels/${encodeURIComponent(channel?.id ?? '')}/messages`;
  for (const scope of [...replica.cursors.keys()]) if (/^(?:history|posts)/.test(scope)) replica.cursors.delete(scope);
  replica.cursors.set(`history/${channel?.id}`, `${page}?$top=50&$skiptoken=gone`);
  for (const { item } of ofKind('post')) replica.items.delete(item.id);
  state.behaviours.expiredSkipTokens = true;
  await replica.read();
  expect(replica.failures).toEqual([]);
  expect(ofKind('post').length).toBe(before);
});

test('a channel that a list leaves out is read on while it answers, stays while it is refused, and goes when it is gone', async () => {
  const { tenant: running, state, object, replica, ofKind } = await read('team');
  const team = state.teams.find(object.id);
  const channel = [...(team?.channels.values() ?? [])].find(({ membershipType }) => membershipType === 'private');
  if (team === undefined || channel === undefined) throw new Error('The team has no private channel.');
  const stored = [...replica.items.keys()].toSorted();
  state.behaviours.unlistedChannels = [channel.id];
  await replica.read();
  expect(replica.failures).toEqual([]);
  expect([...replica.items.keys()].toSorted()).toEqual(stored);
  const path = `/teams/*/channels/${encodeURIComponent(channel.id)}`;
  running.setFaults([{ kind: 'throttle', path, parameters: { status: 403, as: 'nothing' } }]);
  await replica.read();
  expect(replica.failures).toEqual([
    expect.stringContaining(`the channel ‘${channel.displayName}’ could not be read to the end`),
  ]);
  expect([...replica.items.keys()].toSorted()).toEqual(stored);
  running.setFaults([]);
  team.channels.delete(channel.id);
  await replica.read();
  expect(replica.failures).toEqual([]);
  expect(ofKind('channel').map(({ item }) => item.id)).not.toContain(channel.id);
  expect([...ofKind('post'), ...ofKind('reply')].filter(({ item }) => item.id.includes(channel.id))).toEqual([]);
});
