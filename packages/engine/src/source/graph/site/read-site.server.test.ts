import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { filledSiteOf } from '../../../testing/graph/graph-site.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { observedSend } from '../../../testing/observed-send.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';
import type { GraphSourceOptions } from '../reader.ts';

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

async function site(options: GraphSourceOptions = {}) {
  const wire = { sent: 0 };
  const send = observedSend(() => {
    wire.sent += 1;
  });
  const started = await startConnected({}, { send });
  tenant = started.tenant;
  const source = openGraphSource(started.connection, options);
  const { object, inside } = await filledSiteOf(source, started.tenant);
  const replica = new Replica(source, object);
  await replica.read();
  started.tenant.resetRequests();
  wire.sent = 0;
  const ofKind = (kind: string) => [...replica.items.values()].filter(({ item }) => item.kind === kind);
  const list = [...inside.lists.values()].find(({ drive, items }) => drive === undefined && items.length > 5);
  if (list === undefined) throw new Error('The site has no list with rows.');
  return { wire, tenant: started.tenant, connection: started.connection, replica, inside, object, list, ofKind };
}

const propertiesOf = (bytes: ReadonlyMap<string, Buffer> | undefined) =>
  JSON.parse(bytes?.get('properties')?.toString() ?? '{}');

test('an unchanged site takes two requests on the wire, one for its parts and one for the changes of its lists', async () => {
  const { wire, tenant: running, replica } = await site();
  await replica.read();
  expect(wire.sent).toBe(2);
  const { byOperation } = running.requests();
  expect(Object.keys(byOperation).filter((operation) => /\/items\/\{item\}|sitePage/.test(operation))).toEqual([]);
});

test('lists come with their columns, content types and rows, and every row with its fields', async () => {
  const { list, replica, ofKind } = await site();
  const { id } = list.facts;
  const within = (kind: string) => ofKind(kind).filter(({ item }) => item.parentId === id);
  expect(within('list-column')).toHaveLength(list.columns.length);
  expect(within('content-type')).toHaveLength(list.contentTypes.length);
  expect(within('list-item')).toHaveLength(list.items.length);
  const row = list.items[0];
  const replicated = replica.items.get(`${id}/items/${row?.id}`);
  expect(replicated?.item.name).toBe(row?.fields['Title']);
  expect(propertiesOf(replicated?.bytes).fields).toMatchObject({ Title: row?.fields['Title'] });
});

test('the list that numbers people is stored, since rows name people by its numbers', async () => {
  const { ofKind } = await site();
  expect(ofKind('list').map(({ item }) => item.details.role)).toContain('userInformation');
});

test('a row keeps its earlier versions, and only one that changed is asked for them', async () => {
  const { tenant: running, connection, replica, list, object } = await site({ earlierVersions: 2 });
  const [row] = list.items;
  const path = `/sites/${object.id}/lists/${list.facts.id}/items/${row?.id}/fields`;
  for (const Title of ['One', 'Two', 'Three']) await connection.ask({ method: 'PATCH', path, body: { Title } });
  running.resetRequests();
  await replica.read();
  const replicated = replica.items.get(`${list.facts.id}/items/${row?.id}`);
  const versions = [...(replicated?.bytes.keys() ?? [])].filter((name) => name.startsWith('versions/'));
  expect(versions).toHaveLength(2);
  expect(JSON.parse(replicated?.bytes.get(versions[0] ?? '')?.toString() ?? '{}').fields.Title).toBe('Two');
  expect(replicated?.item.details).toMatchObject({ versionCount: 2 });
  expect(replica.alerts).toContainEqual({
    code: 'earlier-versions-left-out',
    message: expect.stringMatching(/Of \d+ rows? of .* that changed, \d+ earlier versions? or more were left out/),
  });
  const asked = Object.entries(running.requests().byOperation).find(([operation]) => operation.endsWith('/versions'));
  expect(asked?.[1]).toBe(1);
});

test('earlier versions of a row that a job with a limit left out another job reads, and of rows that have no more none are asked for', async () => {
  const { tenant: running, connection, replica, list, object } = await site({ earlierVersions: 1 });
  const [row, other] = list.items;
  const patch = (of: typeof row, Title: string) => {
    const path = `/sites/${object.id}/lists/${list.facts.id}/items/${of?.id}/fields`;
    return connection.ask({ method: 'PATCH', path, body: { Title } });
  };
  for (const title of ['One', 'Two', 'Three']) await patch(row, title);
  await replica.read();
  const all = Object.assign(new Replica(openGraphSource(connection), object), {
    job: 'all',
    items: replica.items,
    cursors: replica.cursors,
  });
  const versionsOf = (of: typeof row) =>
    [...(all.items.get(`${list.facts.id}/items/${of?.id}`)?.bytes.keys() ?? [])].filter((name) =>
      name.startsWith('versions/'),
    );
  expect(versionsOf(row)).toHaveLength(1);
  const withOne = [...all.items.values()].filter(
    ({ item }) => item.kind === 'list-item' && item.details.versionCount === 1,
  );
  running.resetRequests();
  await all.read();
  expect(versionsOf(row)).toHaveLength(3);
  expect(versionsOf(other)).toHaveLength(0);
  const asked = () =>
    Object.entries(running.requests().byOperation).find(([operation]) => operation.endsWith('/versions'))?.[1] ?? 0;
  expect(asked()).toBe(withOne.length);
  running.resetRequests();
  await all.read();
  expect(asked()).toBe(0);
});

test('a page is stored with its layout, and the site with its permissions', async () => {
  const { ofKind, inside, object } = await site();
  expect(ofKind('page')).toHaveLength(inside.pages.size);
  expect(propertiesOf(ofKind('page')[0]?.bytes).canvasLayout).toBeDefined();
  const itself = ofKind('subsite').find(({ item }) => item.details.role === 'root');
  expect(itself?.item.id).toBe(object.id);
  expect(propertiesOf(itself?.bytes).permissions).toBeDefined();
});

test('the other lists are read when one cannot be read, and the site is reported as incomplete', async () => {
  const { tenant: running, connection, object, list } = await site();
  const source = openGraphSource(connection);
  running.setFaults([{ kind: 'corrupt', path: `/sites/*/lists/${list.facts.id}/items/delta*` }]);
  const replica = new Replica(source, object);
  await replica.read();
  expect(replica.failures).toEqual([expect.stringContaining(list.facts.displayName)]);
  const rows = [...replica.items.values()].filter(({ item }) => item.kind === 'list-item');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ item }) => item.parentId === list.facts.id)).toBe(false);
});
