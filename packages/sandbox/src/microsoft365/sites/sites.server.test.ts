import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
const site = '/sites/contoso.sharepoint.com:/sites/intranet:';

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

const idOf = (body: unknown) => textOf(valueAt(body, 'id')) ?? '';

test('a site is the same by composite id, by host and path, and as root by its name', async () => {
  const { body } = await client.get('/sites/contoso.sharepoint.com:/sites/intranet');
  expect(idOf(body)).toMatch(/^contoso\.sharepoint\.com,[0-9a-f-]{36},[0-9a-f-]{36}$/);
  expect(idOf((await client.get(`/sites/${idOf(body)}`)).body)).toBe(idOf(body));
  expect((await client.get('/sites/root')).body).toMatchObject({ webUrl: 'https://contoso.sharepoint.com', root: {} });
  expect((await client.get('/sites/contoso.sharepoint.com:/sites/none')).status).toBe(404);
});

test('all sites include the personal ones, a search does not', async () => {
  const all = (await client.drain('/sites/getAllSites()')).value;
  const found = (await client.drain('/sites?search=*')).value;
  expect(all.some(({ isPersonalSite }) => isPersonalSite === true)).toBe(true);
  expect(found.some(({ isPersonalSite }) => isPersonalSite === true)).toBe(false);
  expect(objectsOf(valueAt((await client.get(`${site}/sites`)).body, 'value'))).toMatchObject([
    { displayName: 'Canteen' },
  ]);
});

test('a user\u2019s drive, a group\u2019s drive and a library are the drives of their sites', async () => {
  const [group] = (await client.drain('/groups')).value.filter(
    ({ resourceProvisioningOptions }) =>
      Array.isArray(resourceProvisioningOptions) && resourceProvisioningOptions.length > 0,
  );
  const ofGroup = await client.get(`/groups/${idOf(group)}/drive`);
  const groupSite = await client.get(`/groups/${idOf(group)}/sites/root`);
  const found = objectsOf(valueAt((await client.get(`/groups/${idOf(group)}/sites`)).body, 'value'))[0];
  expect(idOf(groupSite.body)).toBe(idOf(found));
  expect(idOf((await client.get(`/sites/${idOf(found)}/drive`)).body)).toBe(idOf(ofGroup.body));
  const list = await client.get(`/drives/${idOf(ofGroup.body)}/list`);
  expect(idOf((await client.get(`/sites/${idOf(found)}/lists/${idOf(list.body)}/drive`)).body)).toBe(
    idOf(ofGroup.body),
  );
});

test('lists of the system show only to those who select the facet, and lead from a person\u2019s number to the person', async () => {
  const names = async (query: string) =>
    (await client.drain(`${site}/lists${query}`)).value.map(({ displayName }) => displayName);
  expect(await names('')).not.toContain('User Information List');
  expect(await names('?$select=id,displayName,system')).toContain('User Information List');
  const thing = objectsOf(
    valueAt((await client.get(`${site}/lists/Inventory/items?$top=1&$expand=fields`)).body, 'value'),
  )[0];
  const number = textOf(valueAt(thing, 'fields/KeeperLookupId'));
  const person = await client.get(`${site}/lists/User Information List/items/${number}?$expand=fields`);
  expect(textOf(valueAt(person.body, 'fields/EMail'))).toContain('@');
});

test('a list is created with columns of every kind and takes rows of them', async () => {
  const columns = [
    { name: 'Note', text: { allowMultipleLines: true } },
    { name: 'Count', number: {} },
    { name: 'When', dateTime: { format: 'dateOnly' } },
    { name: 'Colors', choice: { choices: ['red', 'blue'], displayAs: 'checkBoxes' } },
    { name: 'Done', boolean: {}, defaultValue: { value: '1' } },
    { name: 'Who', personOrGroup: {} },
    { name: 'Half price', calculated: { formula: '=Count*Count', outputType: 'number' } },
  ];
  const made = await client.ask('POST', `${site}/lists`, {
    displayName: 'Restored',
    columns,
    list: { template: 'genericList' },
  });
  expect(made.status).toBe(201);
  const items = `${site}/lists/${idOf(made.body)}/items`;
  const fields = {
    Title: 'Eins',
    Count: 3,
    When: '2026-01-02T00:00:00Z',
    'Colors@odata.type': 'Collection(Edm.String)',
    Colors: ['red'],
    WhoLookupId: '7',
  };
  const row = await client.ask('POST', items, { fields });
  expect(row).toMatchObject({
    status: 201,
    body: { fields: { Title: 'Eins', Count: 3, Colors: ['red'], Done: true, WhoLookupId: '7', Half_x0020_price: 9 } },
  });
  expect((await client.ask('POST', `${site}/lists`, { displayName: 'Restored' })).status).toBe(409);
});

test.each([
  ['an unknown field', { Nonsense: 1 }],
  ['a calculated field', { Total: 5 }],
  ['a choice that is none', { Status: 'Nope' }],
  ['several values without their type', { Tags: ['red'] }],
  ['a text for a number', { Quantity: 'three' }],
  ['a hyperlink, which this API cannot set', { Link: { Url: 'https://a.example' } }],
])('%s is refused', async (_, fields) => {
  expect(await client.ask('PATCH', `${site}/lists/Inventory/items/2/fields`, fields)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalidRequest' } },
  });
});

test('rows are filtered by their fields, and only the requested fields are returned', async () => {
  const filter = encodeURIComponent("fields/Status eq 'New'");
  const { value } = await client.drain(
    `${site}/lists/Inventory/items?$filter=${filter}&$expand=fields($select=Title,Status)`,
  );
  expect(value.length).toBeGreaterThan(0);
  for (const { fields } of value)
    expect(
      Object.keys(Object(fields))
        .filter((name) => !name.startsWith('@'))
        .sort(),
    ).toEqual(['Status', 'Title']);
});

test('a changed row has a new version and comes in the delta; a deleted one with its facet', async () => {
  const items = `${site}/lists/Inventory/items`;
  const { deltaLink } = await client.drain(`${items}/delta`);
  const before = (await client.drain(`${items}/3/versions`)).value.length;
  expect((await client.ask('PATCH', `${items}/3/fields`, { Title: 'Anders' })).status).toBe(200);
  expect((await client.ask('DELETE', `${items}/4`)).status).toBe(204);
  expect((await client.drain(`${items}/3/versions`)).value.length).toBe(before + 1);
  expect((await client.drain(deltaLink ?? '')).value).toMatchObject([
    { id: '3' },
    { id: '4', deleted: { state: 'deleted' } },
  ]);
});

test('rows of a library are its files, with the values of its own columns', async () => {
  const library = `${site}/lists/Documents`;
  expect((await client.ask('POST', `${library}/columns`, { name: 'Topic', text: {} })).status).toBe(201);
  const file = await client.ask('PUT', `${site}/drive/root:/topic.txt:/content`, 'text');
  const row = await client.get(`${site.replace(/:$/, '')}:/drive/items/${idOf(file.body)}?$select=id,sharepointIds`);
  const number = textOf(valueAt(row.body, 'sharepointIds/listItemId'));
  expect((await client.ask('PATCH', `${library}/items/${number}/fields`, { Topic: 'Gärten' })).status).toBe(200);
  const { body } = await client.get(`${library}/items/${number}?$expand=fields,driveItem`);
  expect(body).toMatchObject({
    fields: { Topic: 'Gärten', FileLeafRef: 'topic.txt' },
    driveItem: { id: idOf(file.body) },
  });
  expect((await client.ask('POST', `${library}/items`, { fields: { Title: 'x' } })).status).toBe(400);
});

test('a content type of the site is copied into a list once', async () => {
  const copy = () =>
    client.ask('POST', `${site}/lists/Inventory/contentTypes/addCopy`, {
      contentType: 'https://graph.microsoft.com/v1.0/sites/root/contentTypes/0x0120',
    });
  const { status, body } = await copy();
  expect([status, idOf(body).startsWith('0x012000')]).toEqual([201, true]);
  expect((await copy()).status).toBe(409);
});

test('a page is made as a draft, published, and found as a file of the pages library', async () => {
  const canvasLayout = {
    horizontalSections: [
      {
        id: '1',
        layout: 'oneColumn',
        columns: [
          { id: '1', width: 12, webparts: [{ '@odata.type': '#microsoft.graph.textWebPart', innerHtml: '<p>ä</p>' }] },
        ],
      },
    ],
  };
  const made = await client.ask('POST', `${site}/pages`, {
    '@odata.type': '#microsoft.graph.sitePage',
    name: 'neu.aspx',
    title: 'Neu',
    pageLayout: 'article',
    canvasLayout,
  });
  expect(made).toMatchObject({
    status: 201,
    body: { title: 'Neu', publishingState: { level: 'draft' }, canvasLayout },
  });
  const page = `${site}/pages/${idOf(made.body)}/microsoft.graph.sitePage`;
  expect((await client.ask('POST', `${page}/publish`)).status).toBe(204);
  expect((await client.get(page)).body).toMatchObject({ publishingState: { level: 'published' } });
  expect((await client.get(page)).body).not.toHaveProperty('canvasLayout');
  expect((await client.get(`${page}?$expand=canvasLayout`)).body).toMatchObject({ canvasLayout });
  expect((await client.get(`${page}/webParts`)).body).toMatchObject({ value: [{ innerHtml: '<p>ä</p>' }] });
  expect(
    (await client.drain(`${site}/lists/SitePages/items?$expand=fields`)).value.map(({ fields }) =>
      valueAt(fields, 'FileLeafRef'),
    ),
  ).toContain('neu.aspx');
});

test('an application is given a role on one site', async () => {
  const grantedToIdentities = [{ application: { id: 'a1', displayName: 'Backup' } }];
  const { status, body } = await client.ask('POST', `${site}/permissions`, { roles: ['write'], grantedToIdentities });
  expect(status).toBe(201);
  expect((await client.get(`${site}/permissions/${idOf(body)}`)).body).toMatchObject({
    roles: ['write'],
    grantedToIdentitiesV2: grantedToIdentities,
  });
});
