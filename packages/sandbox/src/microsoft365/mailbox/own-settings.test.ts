import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';
import { automaticReplies } from './automatic-replies.ts';
import { ownSettings } from './own-settings.ts';

let tenant: RunningTenant;
let client: TenantClient;
let user: string;

beforeAll(async () => {
  tenant = await startTenant({ budgets: false });
  client = await TenantClient.signIn(tenant);
  user = `/users/${tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null)?.id}`;
});
afterAll(() => tenant.stop());

const listed = async (path: string) => objectsOf(valueAt((await client.get(`${user}/${path}`)).body, 'value'));
const idOf = (entity: unknown) => textOf(valueAt(entity, 'id')) ?? '';

test('inbox rules are listed, made, changed and deleted', async () => {
  const path = `${user}/mailFolders/inbox/messageRules`;
  const rule = { displayName: 'Offers', sequence: 3, actions: { markAsRead: true }, hasError: true };
  const made = await client.ask('POST', path, rule);
  expect(made).toMatchObject({ status: 201, body: { displayName: 'Offers', hasError: false, isEnabled: true } });
  await client.ask('PATCH', `${path}/${idOf(made.body)}`, { isEnabled: false });
  const rules = await listed('mailFolders/inbox/messageRules');
  expect(rules.map(({ displayName, isEnabled }) => [displayName, isEnabled])).toEqual([
    ['Invoices', true],
    ['From the team', true],
    ['Offers', false],
  ]);
  expect((await client.ask('DELETE', `${path}/${idOf(made.body)}`)).status).toBe(204);
});

test('a category has one name for good, and a colour that can be changed', async () => {
  const path = `${user}/outlook/masterCategories`;
  expect((await client.ask('POST', path, { displayName: 'private', color: 'preset1' })).status).toBe(409);
  const [first] = await listed('outlook/masterCategories');
  const changed = await client.ask('PATCH', `${path}/${idOf(first)}`, { displayName: 'Other', color: 'preset9' });
  expect(changed.body).toMatchObject({ displayName: 'Customers', color: 'preset9' });
});

test('of a calendar permission that is there the role alone can be changed', async () => {
  const path = `${user}/calendar/calendarPermissions`;
  const given = {
    emailAddress: { name: 'Bo', address: 'bo@contoso.example' },
    role: 'read',
    isInsideOrganization: false,
  };
  const made = await client.ask('POST', path, given);
  expect(made.status).toBe(201);
  const changed = await client.ask('PATCH', `${path}/${idOf(made.body)}`, {
    role: 'write',
    isInsideOrganization: true,
  });
  expect(changed.body).toMatchObject({ role: 'write', isInsideOrganization: false });
});

test('settings are changed one by one, and what only the server sets is refused', async () => {
  const settings = `${user}/mailboxSettings`;
  expect((await client.ask('PATCH', settings, { timeFormat: 'hh:mm tt' })).status).toBe(200);
  expect((await client.get(settings)).body).toMatchObject({ timeFormat: 'hh:mm tt', dateFormat: 'dd.MM.yyyy' });
  expect((await client.ask('PATCH', settings, { userPurpose: 'room' })).status).toBe(400);
});

test('a calendar beside the default one has permissions of its own', async () => {
  const calendars = await listed('calendars');
  const [standard, other] = ['true', 'false'].map((is) =>
    calendars.find((one) => String(one['isDefaultCalendar']) === is),
  );
  const of = async (calendar: unknown) => {
    const all = await listed(`calendars/${encodeURIComponent(idOf(calendar))}/calendarPermissions`);
    return all.map(({ emailAddress }) => valueAt(emailAddress, 'name'));
  };
  expect(await of(standard)).toContain('Grace');
  expect(await of(other)).toEqual(['My Organization', 'Linus']);
});

test('a null deletes conditions and exceptions of a rule, what is left out stays, and a read-only rule cannot be touched', async () => {
  const path = `${user}/mailFolders/inbox/messageRules`;
  const exceptions = { sentToMe: true };
  const made = await client.ask('POST', path, {
    displayName: 'News',
    sequence: 4,
    conditions: { subjectContains: ['news'] },
    actions: { markAsRead: true },
    exceptions,
  });
  const rule = `${path}/${idOf(made.body)}`;
  expect((await client.ask('PATCH', rule, { conditions: { hasAttachments: true } })).body).toMatchObject({
    exceptions,
  });
  const changed = await client.ask('PATCH', rule, { exceptions: null });
  expect(changed.body).toMatchObject({ conditions: { hasAttachments: true } });
  expect(changed.body).not.toHaveProperty('exceptions');
  expect((await client.ask('PATCH', rule, { displayName: null })).status).toBe(400);
  const { id = '' } = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null) ?? {};
  const { rules } = ownSettings(tenant.tenant.mailboxes.of(id));
  rules.set(idOf(made.body), { ...rules.get(idOf(made.body)), isReadOnly: true });
  expect((await client.ask('PATCH', rule, { isEnabled: false })).status).toBe(400);
  expect((await client.ask('DELETE', rule)).status).toBe(400);
});

test('automatic replies that are off have the present hour as their time, and that of a day behind it', () => {
  const at = (instant: string) => automaticReplies({ status: 'disabled' }, Date.parse(instant));
  expect(at('2026-11-20T10:59:00Z')).toMatchObject({
    scheduledStartDateTime: { dateTime: '2026-11-20T10:00:00.0000000', timeZone: 'UTC' },
    scheduledEndDateTime: { dateTime: '2026-11-21T10:00:00.0000000', timeZone: 'UTC' },
  });
  expect(at('2026-11-20T11:00:00Z')).not.toEqual(at('2026-11-20T10:59:00Z'));
});

test('mail is answered while automatic replies are on, and not while they are off', async () => {
  const [from, to] = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  const message = { subject: 'Hello', toRecipients: [{ emailAddress: { address: to?.userPrincipalName } }] };
  const send = () => client.ask('POST', `/users/${from?.id}/sendMail`, { message });
  const set = (automaticRepliesSetting: object | null) =>
    client.ask('PATCH', `/users/${to?.id}/mailboxSettings`, { automaticRepliesSetting });
  expect((await send()).status).toBe(202);
  expect(tenant.tenant.automaticReplies).toEqual([]);
  expect((await set({ status: 'alwaysEnabled', internalReplyMessage: 'Away' })).status).toBe(200);
  await send();
  expect(tenant.tenant.automaticReplies).toEqual([{ from: to?.userPrincipalName, to: from?.mail, text: 'Away' }]);
  const past = { dateTime: '2020-01-01T00:00:00.0000000', timeZone: 'UTC' };
  const scheduled = { status: 'scheduled', scheduledStartDateTime: past, scheduledEndDateTime: past };
  expect((await set(scheduled)).status).toBe(400);
  expect((await set(null)).status).toBe(400);
});
