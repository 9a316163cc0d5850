import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let user: string;

beforeAll(async () => {
  tenant = await startTenant({ budgets: false });
  client = await TenantClient.signIn(tenant);
  user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox?.hasArchive)?.id ?? '';
});
afterAll(() => tenant.stop());

test('a file of a library that rewrites is given out with other bytes than are listed, the same each time', async () => {
  const drive = tenant.tenant.drives.ofUser(user) ?? [...tenant.tenant.drives.all()][0];
  const made = await client.ask('PUT', `/drives/${drive?.facts.id}/root:/plan.txt:/content`, Buffer.from('Plan'));
  const path = `/drives/${drive?.facts.id}/items/${textOf(valueAt(made.body, 'id'))}`;
  const bytesOf = async () => {
    const { headers } = await client.get(`${path}/content`);
    return Buffer.from(await (await fetch(headers.get('location') ?? '')).arrayBuffer());
  };
  const plain = await bytesOf();
  tenant.tenant.behaviours.rewrittenFiles = [drive?.facts.id ?? ''];
  const [once, again] = [await bytesOf(), await bytesOf()];
  expect([once.equals(again), once.equals(plain), once.length > plain.length]).toEqual([true, false, true]);
  expect(valueAt((await client.get(path)).body, 'size')).toBe(plain.length);
});

test('a calendar that another user shares is among a person’s, with its owner', async () => {
  const owners = async () =>
    (await client.drain(`/users/${user}/calendars`)).value.map((one) => textOf(valueAt(one, 'owner/address')));
  const before = await owners();
  expect(new Set(before).size).toBe(1);
  tenant.tenant.behaviours.sharedCalendars = true;
  expect(new Set(await owners()).size).toBe(2);
});

test('the owner of a renamed person’s calendars has the former address', async () => {
  tenant.tenant.behaviours.formerOwners = [user];
  const { body } = await client.get(`/users/${user}/calendar`);
  const mail = tenant.tenant.directory.findUser(user)?.mail;
  expect(valueAt(body, 'owner/address')).toBe(`former.${mail}`);
});

test('an event with an inline picture alone says that it has no attachments', async () => {
  const event = { subject: 'Plan', start: at('10'), end: at('11') };
  const made = await client.ask('POST', `/users/${user}/events`, event);
  const path = `/users/${user}/events/${textOf(valueAt(made.body, 'id'))}`;
  const picture = { name: 'x.png', contentType: 'image/png', contentBytes: 'AAAA', isInline: true, contentId: 'x' };
  const attachment = { '@odata.type': '#microsoft.graph.fileAttachment', ...picture };
  expect((await client.ask('POST', `${path}/attachments`, attachment)).status).toBe(201);
  const says = async () => valueAt((await client.get(path)).body, 'hasAttachments');
  expect([await says(), (await client.drain(`${path}/attachments`)).value.length]).toEqual([false, 1]);
  tenant.tenant.behaviours.inlinePicturesUncounted = false;
  expect(await says()).toBe(true);
});

const at = (hour: string) => ({ dateTime: `2026-11-23T${hour}:00:00`, timeZone: 'UTC' });

test('the delta of exported items refuses to expand', async () => {
  const { body } = await client.get(`/users/${user}/settings/exchange`);
  const items = `/admin/exchange/mailboxes/${textOf(valueAt(body, 'primaryMailboxId'))}/folders/inbox/items/delta`;
  const expanded = `${items}?$expand=singleValueExtendedProperties`;
  tenant.tenant.behaviours.archiveDeltaWithoutExpand = true;
  expect(await client.get(expanded)).toMatchObject({ status: 400, body: { error: { code: 'ErrorInvalidUrlQuery' } } });
  expect((await client.get(items)).status).toBe(200);
});

test('the link to the next page of a channel’s posts has expired', async () => {
  const [team] = (await client.drain('/teams')).value;
  const [channel] = (await client.drain(`/teams/${textOf(team?.['id'])}/channels`)).value;
  const posts = `/teams/${textOf(team?.['id'])}/channels/${textOf(channel?.['id'])}/messages?$top=1`;
  const next = async () => {
    const { body } = await client.get(posts);
    return (await client.get(String(valueAt(body, '@odata.nextLink')))).status;
  };
  expect(await next()).toBe(200);
  tenant.tenant.behaviours.expiredSkipTokens = true;
  expect(await next()).toBeGreaterThanOrEqual(400);
});

test('a delta does not report what was removed', async () => {
  const { deltaLink = '' } = await client.drain(`/users/${user}/mailFolders/inbox/messages/delta?$select=id`);
  const [message] = objectsOf(valueAt((await client.get(`/users/${user}/mailFolders/inbox/messages`)).body, 'value'));
  await client.ask('DELETE', `/users/${user}/messages/${textOf(message?.['id'])}`);
  expect((await client.drain(deltaLink)).value).toHaveLength(1);
  tenant.tenant.behaviours.missingTombstones = true;
  expect((await client.drain(deltaLink)).value).toEqual([]);
});

test('the list of all sites has no subsites, and those above them do', async () => {
  const ids = async () => (await client.drain('/sites/getAllSites')).value.map(({ id }) => id);
  const below = tenant.tenant.sites.all().find(({ parent }) => parent !== undefined);
  expect(await ids()).not.toContain(below?.id);
  expect((await client.drain(`/sites/${below?.parent?.id}/sites`)).value.map(({ id }) => id)).toContain(below?.id);
  tenant.tenant.behaviours.siteCollectionsAlone = false;
  expect(await ids()).toContain(below?.id);
});

test('a round over mail folders does not name one of which the messages alone changed', async () => {
  tenant.tenant.behaviours.missingTombstones = false;
  const { deltaLink = '' } = await client.drain(`/users/${user}/mailFolders/delta`);
  const arrive = () => client.ask('POST', `/users/${user}/mailFolders/inbox/messages`, { subject: 'New' });
  await arrive();
  expect((await client.drain(deltaLink)).value).toEqual([]);
  tenant.tenant.behaviours.quietFolders = false;
  await arrive();
  expect((await client.drain(deltaLink)).value).toHaveLength(1);
});
