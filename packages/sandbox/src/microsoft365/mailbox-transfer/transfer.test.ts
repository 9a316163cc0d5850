import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let base: string;
let user: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  user = `/users/${tenant.tenant.directory.users.find(({ mailbox }) => mailbox?.hasArchive)?.id}`;
  const settings = await client.get(`${user}/settings/exchange`);
  base = `/admin/exchange/mailboxes/${valueAt(settings.body, 'primaryMailboxId')}`;
});
afterAll(() => tenant.stop());

const folders = async (path = base) => (await client.drain(`${path}/folders?$top=100`)).value;

test('folders of every class are listed, and every item in them', async () => {
  const all = await folders();
  expect(new Set(all.map(({ type }) => type))).toEqual(
    new Set(['IPF.Note', 'IPF.Appointment', 'IPF.Contact', 'IPF.Task']),
  );
  for (const { id, totalItemCount } of all) {
    const { value } = await client.drain(`${base}/folders/${id}/items/delta`, { prefer: 'odata.maxpagesize=500' });
    expect(value.length).toBe(totalItemCount);
  }
});

test('items are exported whole and imported again with all they were, flags and bytes and times', async () => {
  const sources = ['inbox', 'calendar', 'contacts', 'tasks'];
  const session = await client.ask('POST', `${base}/createImportSession`);
  const importUrl = textOf(valueAt(session.body, 'importUrl')) ?? '';
  for (const source of sources) {
    const { value } = await client.drain(`${base}/folders/${source}/items?$top=100`);
    const itemIds = value.slice(0, 20).map(({ id }) => String(id));
    const exported = await client.ask('POST', `${base}/exportItems`, { itemIds });
    const streams = objectsOf(valueAt(exported.body, 'value'));
    expect(streams.map(({ itemId }) => itemId)).toEqual(itemIds);
    for (const { data, itemId } of streams) {
      const imported = await client.ask('POST', importUrl, { FolderId: source, Mode: 'create', Data: data });
      expect(imported.status).toBe(201);
      if (source !== 'inbox') continue;
      const [before, after] = [itemId, valueAt(imported.body, 'itemId')].map((id) => `${user}/messages/${id}`);
      const pick = async (path = '') => {
        const {
          id: _id,
          webLink: _link,
          changeKey: _key,
          '@odata.etag': _etag,
          lastModifiedDateTime: _at,
          ...rest
        } = Object((await client.get(path)).body);
        return rest;
      };
      expect(await pick(after)).toEqual(await pick(before));
      const [one, other] = await Promise.all([before, after].map((path) => client.get(`${path}/$value`)));
      expect(one?.bytes.equals(other?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  }
});

test('one deleted item does not stop the export of the others', async () => {
  const { value } = await client.drain(`${base}/folders/inbox/items?$top=100`);
  const [gone, existing] = value.map(({ id }) => String(id));
  for (let step = 0; step < 3; step += 1) await client.ask('DELETE', `${user}/messages/${gone}`);
  const { body } = await client.ask('POST', `${base}/exportItems`, { ItemIds: [gone, existing] });
  expect(valueAt(body, 'value')).toEqual([
    { itemId: gone, error: { code: 'ErrorItemNotFound', message: expect.any(String) } },
    { itemId: existing, changeKey: expect.any(String), data: expect.any(String) },
  ]);
});

test('more than twenty items at once, and streams of another mailbox, are refused', async () => {
  expect((await client.ask('POST', `${base}/exportItems`, { itemIds: Array(21).fill('x') })).status).toBe(400);
  const session = await client.ask('POST', `${base}/createImportSession`);
  const importUrl = textOf(valueAt(session.body, 'importUrl')) ?? '';
  const answer = await client.ask('POST', importUrl, { FolderId: 'inbox', Mode: 'create', Data: 'AAAA' });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ErrorCorruptData' } } });
});

test('an in-place archive is a mailbox of its own, whose id the settings of beta alone have', async () => {
  const released = await client.get(`${user}/settings/exchange`);
  expect(valueAt(released.body, 'inPlaceArchiveMailboxId')).toBeUndefined();
  const settings = await client.get(`${tenant.graphUrl}/beta${user}/settings/exchange`);
  const archive = `/admin/exchange/mailboxes/${valueAt(settings.body, 'inPlaceArchiveMailboxId')}`;
  expect((await folders(archive)).map(({ displayName }) => displayName)).toContain('Inbox');
});

test('all mailboxes are listed, archives too', async () => {
  const { value } = await client.drain('/admin/exchange/mailboxes');
  const withMailbox = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox);
  expect(value.length).toBe(withMailbox.length + withMailbox.filter(({ mailbox }) => mailbox?.hasArchive).length);
  expect(value.map(({ id }) => `/admin/exchange/mailboxes/${id}`)).toContain(base);
});

test('folders, items, export and import each need the permission of their reference, and one for all where that is switched off', async () => {
  const inbox = `${base}/folders/inbox`;
  const statuses = async (...permissions: string[]) => {
    const application = tenant.registerApplication(permissions);
    const other = await TenantClient.signIn({ ...tenant, application });
    const answers = [
      await other.get(`${base}/folders`),
      await other.get(`${inbox}/items/delta`),
      await other.ask('POST', `${base}/exportItems`, { itemIds: ['x'] }),
      await other.ask('POST', `${base}/createImportSession`),
    ];
    return answers.map(({ status }) => (status === 403 ? 'no' : 'yes')).join(' ');
  };
  expect(await statuses('MailboxFolder.Read.All')).toBe('yes no no no');
  expect(await statuses('MailboxItem.Read.All')).toBe('no yes no no');
  expect(await statuses('MailboxItem.Export.All')).toBe('no no yes no');
  expect(await statuses('MailboxItem.ImportExport.All')).toBe('no no yes yes');
  tenant.tenant.behaviours.separateTransferPermissions = false;
  expect(await statuses('MailboxItem.ImportExport.All')).toBe('yes yes yes yes');
  tenant.tenant.behaviours.separateTransferPermissions = true;
});

test('a tenant can do without, which a client finds out by asking', async () => {
  tenant.tenant.hasMailboxTransfer = false;
  expect((await client.get(`${base}/folders`)).status).toBe(400);
  tenant.tenant.hasMailboxTransfer = true;
});

test("what is imported into a person's mailbox of another tenant gets an id that the first tenant never gave", async () => {
  const person = tenant.tenant.directory.users.find(({ mailbox }) => mailbox);
  if (person === undefined) throw new Error('The tenant has no mailbox.');
  const ids = ({ tenant: { directory, mailboxes } }: RunningTenant) => {
    directory.putUser({ ...person });
    const mailbox = mailboxes.find(mailboxes.idsOf(person).primary);
    return [1, 2, 3].map((number) => mailbox?.itemId({ number, folder: 1, moves: 0 }, true));
  };
  const other = await startTenant({ size: 'empty', seed: 77 });
  try {
    expect(ids(other)).not.toContain(undefined);
    expect(ids(other).filter((id) => ids(tenant).includes(id))).toEqual([]);
  } finally {
    await other.stop();
  }
});
