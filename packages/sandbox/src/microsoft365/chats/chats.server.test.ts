import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let user: string;

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  user = `/users/ada.lindqvist@${tenant.domain}`;
});
afterAll(() => tenant.stop());

test('a user has chats of two and of several, each with its members', async () => {
  const chats = (await client.drain(`${user}/chats?$expand=members`)).value;
  expect(new Set(chats.map(({ chatType }) => chatType))).toEqual(new Set(['oneOnOne', 'group']));
  for (const { chatType, members } of chats)
    expect(Array.isArray(members) && members.length > 2).toBe(chatType === 'group');
});

test('all messages of a user are those of the user\u2019s chats', async () => {
  const chats = (await client.drain(`${user}/chats`)).value;
  let count = 0;
  for (const { id } of chats) count += (await client.drain(`/chats/${textOf(id)}/messages?$top=50`)).value.length;
  const all = (await client.drain(`${user}/chats/getAllMessages()`)).value;
  expect(all.length).toBe(count);
  expect(all.every(({ chatId, channelIdentity }) => chatId !== null && channelIdentity === null)).toBe(true);
});

test('messages can be asked for by the time of their last change', async () => {
  tenant.advance(86_400_000 * 3);
  tenant.evolve(200);
  client = await TenantClient.signIn(tenant);
  const filter = encodeURIComponent('lastModifiedDateTime gt 2026-11-22T00:00:00Z');
  const { value } = await client.drain(`${user}/chats/getAllMessages()?$filter=${filter}`);
  expect(value.length).toBeGreaterThan(0);
  expect(value.every((message) => String(message['lastModifiedDateTime']) > '2026-11-22')).toBe(true);
});

test('a picture in a chat is read by its value, and an application cannot post', async () => {
  const chats = (await client.drain(`${user}/chats`)).value;
  const chat = `/chats/${textOf(chats[0]?.['id'])}`;
  const messages = (await client.drain(`${chat}/messages?$expand=hostedContents`)).value;
  const picture = messages.find(({ hostedContents }) => Array.isArray(hostedContents) && hostedContents.length > 0);
  const { bytes } = await client.get(`${chat}/messages/${textOf(picture?.['id'])}/hostedContents/1/$value`);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  const refused = await client.ask('POST', `${chat}/messages`, { body: { content: 'x' } });
  expect([refused.status, valueAt(refused.body, 'error/code')]).toEqual([403, 'Forbidden']);
});
