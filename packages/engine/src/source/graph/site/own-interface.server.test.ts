import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { attach, attachmentsOf } from '../../../../../sandbox/src/microsoft365/sharepoint/row-attachments.ts';
import { rolesOf, rowKey } from '../../../../../sandbox/src/microsoft365/sharepoint/site-roles.ts';
import type { SiteList } from '../../../../../sandbox/src/microsoft365/sites/lists/site-list.ts';
import type { Site } from '../../../../../sandbox/src/microsoft365/sites/site.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { filledSiteOf } from '../../../testing/graph/graph-site.ts';
import { connectByCertificate, connectTo, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';
import { textOf } from '../json.ts';

let tenant: RunningTenant;
let object: ProtectedObject;
let inside: Site;
let list: SiteList;

beforeEach(async () => {
  const started = await startConnected();
  ({ tenant } = started);
  ({ object, inside } = await filledSiteOf(openGraphSource(started.connection), tenant));
  const found = [...inside.lists.values()].find(
    ({ drive, items }) => !drive && items.some((row) => row.hasAttachments),
  );
  if (found === undefined) throw new Error('The site has no rows with attachments.');
  list = found;
});
afterEach(() => tenant.stop());

const replicaBy = (connection: GraphConnection) => new Replica(openGraphSource(connection), object);
const rowsWithFiles = () => list.items.filter(({ hasAttachments }) => hasAttachments);
const storedRow = (replica: Replica, row: string) => replica.items.get(`${list.facts.id}/items/${row}`);
const alertsOf = (replica: Replica) =>
  replica.events.flatMap((event) => (event.type === 'alert' ? [event.alert.message] : []));
const rolesIn = (replica: Replica) =>
  [...replica.items.values()].filter(({ item }) => item.kind === 'role-assignments');
const filesOf = (replica: Replica, row: string) =>
  [...(storedRow(replica, row)?.bytes ?? [])].flatMap(([name, bytes]): [string, Buffer][] =>
    name.startsWith('attachments/') ? [[name.slice('attachments/'.length), bytes]] : [],
  );

test('rows come with the files attached to them, byte by byte, whatever their names', async () => {
  const replica = replicaBy(await connectByCertificate(tenant));
  await replica.read();
  expect(rowsWithFiles().length).toBeGreaterThan(1);
  for (const row of rowsWithFiles()) {
    expect(filesOf(replica, row.id)).toEqual([...attachmentsOf(row)]);
    expect(storedRow(replica, row.id)?.item.details.attachmentNames).toEqual([...attachmentsOf(row).keys()]);
  }
  expect(alertsOf(replica).join()).not.toContain('attached');
});

test('what is attached later is read then, and nothing is asked of rows that did not change', async () => {
  const replica = replicaBy(await connectByCertificate(tenant));
  await replica.read();
  tenant.resetRequests();
  await replica.read();
  const files = () => tenant.requests().byOperation['GET _api/web/lists()/items()/AttachmentFiles'] ?? 0;
  expect(files()).toBe(0);
  const row = list.items.find(({ hasAttachments }) => !hasAttachments);
  if (row === undefined) throw new Error('Every row has attachments.');
  attach(list, row, 'late.txt', Buffer.from('late'), { by: row.modifiedBy, atMs: tenant.tenant.nowMs() });
  await replica.read();
  expect(files()).toBe(1);
  expect(filesOf(replica, row.id)).toEqual([['late.txt', Buffer.from('late')]]);
});

test('roles come of the site with its groups, and of lists and rows that have their own', async () => {
  const replica = replicaBy(await connectByCertificate(tenant));
  await replica.read();
  const { lists, rows } = rolesOf(inside, tenant.tenant.drives.people);
  expect(rolesIn(replica)).toHaveLength(1 + lists.size + rows.size);
  const ofSite: unknown = JSON.parse(String(replica.items.get('role-assignments/site')?.bytes.get('properties')));
  expect(ofSite).toMatchObject({
    HasUniqueRoleAssignments: true,
    roleAssignments: [{ Member: { Title: expect.stringContaining('Owners') } }, {}, {}],
    siteGroups: [{ Users: [{}, {}] }, {}, {}],
  });
  const [row] = list.items.filter(({ id }) => rows.has(rowKey(list, id)));
  rows.delete(rowKey(list, row?.id ?? ''));
  await replica.read();
  expect(rolesIn(replica)).toHaveLength(lists.size + rows.size + 1);
});

test('with a secret an alert names what is not read, in every run, and a certificate brings it', async () => {
  const replica = replicaBy(connectTo(tenant));
  for (let run = 0; run < 2; run += 1) {
    await replica.read();
    expect(replica.failures).toEqual([]);
    expect(alertsOf(replica)).toEqual([
      expect.stringMatching(/files attached to rows of ‘Inventory’.*certificate alone.*Sites\.Read\.All of SharePoint/),
      expect.stringMatching(/roles of persons and groups.*certificate alone.*Sites\.FullControl\.All of SharePoint/),
    ]);
  }
  const certified = replicaBy(await connectByCertificate(tenant));
  Object.assign(certified, { items: replica.items, cursors: replica.cursors });
  await certified.read();
  expect(alertsOf(certified)).toEqual([]);
  for (const row of rowsWithFiles()) expect(filesOf(certified, row.id)).toEqual([...attachmentsOf(row)]);
});

test('with the permission to read alone files come, and an alert says that roles do not', async () => {
  const replica = replicaBy(await connectByCertificate(tenant, ['Sites.Read.All']));
  await replica.read();
  expect(alertsOf(replica)).toEqual([expect.stringContaining('the roles of persons and groups')]);
  expect(filesOf(replica, rowsWithFiles()[0]?.id ?? '')).not.toEqual([]);
  expect(replica.failures).toEqual([]);
});

test('what was read before and is refused now is a failure, and what is stored stays', async () => {
  const replica = replicaBy(await connectByCertificate(tenant));
  await replica.read();
  const [row] = rowsWithFiles();
  if (row === undefined) throw new Error('No row has attachments.');
  const [before, roles] = [filesOf(replica, row.id), rolesIn(replica).length];
  list.update(row, { Quantity: 7 }, { by: row.modifiedBy, atMs: tenant.tenant.nowMs() });
  const refused = replicaBy(await connectByCertificate(tenant, []));
  Object.assign(refused, { items: replica.items, cursors: replica.cursors });
  await refused.read();
  expect(refused.failures).toEqual([
    expect.stringContaining('the files attached to rows'),
    expect.stringContaining('the roles of persons and groups'),
  ]);
  expect(filesOf(refused, row.id)).toEqual(before);
  expect(rolesIn(refused)).toHaveLength(roles);
  expect(textOf(storedRow(refused, row.id)?.item.details.version)).not.toBe('1.0');
});

test('a row whose files fail is lost alone, and read in the next run', async () => {
  const connection = await connectByCertificate(tenant);
  const [row] = rowsWithFiles();
  tenant.setFaults([{ kind: 'corrupt', path: `/sharepoint/*/items(${row?.id})/AttachmentFiles` }]);
  const replica = replicaBy(connection);
  await replica.read();
  expect([...replica.lost.keys()]).toEqual([`${list.facts.id}/items/${row?.id}`]);
  tenant.setFaults([]);
  await replica.read();
  expect(replica.lost.size).toBe(0);
});

test('a site whose address is at a host of others is never asked, nor sent a token', async () => {
  const asked: string[] = [];
  const { sharePoint } = await connectByCertificate(tenant);
  for (const url of [
    'https://fabrikam.sharepoint.com/sites/x',
    'https://contoso.sharepoint.com.example/x',
    'http://contoso.sharepoint.com/x',
  ])
    await sharePoint?.site(url).then(
      () => asked.push(url),
      (error: Error) => expect(error.message).toContain('none of the organization’s own hosts'),
    );
  expect(asked).toEqual([]);
  await expect(sharePoint?.site('https://contoso-my.sharepoint.com/personal/ada')).resolves.toBeDefined();
});
