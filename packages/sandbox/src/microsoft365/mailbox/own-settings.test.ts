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
