import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { Site } from '../../../sandbox/src/microsoft365/sites/site.ts';
import { type GivenItem, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { filledSiteOf } from '../testing/graph/graph-site.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { exportList, exportLists } from './list-export.ts';

const SITE: ProtectedObject = { ...MAILBOX, kind: 'site', id: 'site-1', name: 'Projects', address: null };

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });
const json = (value: object) => ({ properties: JSON.stringify(value) });

/** Rows of a CSV, or entries of a ZIP, read by a program that knows nothing of us. */
function python(script: string, path: string): unknown {
  const out = execFileSync('python3', ['-c', script, path], { maxBuffer: 1 << 26 }).toString();
  const value: unknown = JSON.parse(out);
  return value;
}

const csvRows = (path: string) =>
  python(
    'import csv,sys,json\nprint(json.dumps(list(csv.DictReader(open(sys.argv[1],encoding="utf-8-sig",newline="")))))',
    path,
  );
const zipNames = (path: string) =>
  python(
    'import zipfile,sys,json\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps(z.namelist()))',
    path,
  );

describe('a list of a tenant', () => {
  let tenant: RunningTenant;
  let inside: Site;
  let scope: Parameters<typeof exportList>[1];

  beforeEach(async () => {
    const started = await startConnected({ budgets: false });
    tenant = started.tenant;
    const source = openGraphSource(started.connection);
    const found = await filledSiteOf(source, tenant);
    inside = found.inside;
    await stored.backUpFrom(source, 'site');
    const object = await stored.catalog.object(stored.repository.objectKey(found.object));
    if (object === null) throw new Error('The site was not stored.');
    scope = { object, revision: object.revision, items: null };
  });
  afterEach(() => tenant.stop());

  const listNamed = (name: string) => {
    const list = [...inside.lists.values()].find(({ facts }) => facts.displayName === name);
    if (list === undefined) throw new Error(`There is no list ${name}.`);
    return list;
  };

  test('has in CSV and in JSON a column for each of its own, with persons and lookups by their names', async () => {
    const list = listNamed('Inventory');
    const of = { ...scope, items: [list.facts.id] };
    const [csv, file] = [stored.file('list.csv'), stored.file('list.json')];
    const result = await exportList(parts(), of, csv, 'csv');
    await exportList(parts(), of, file, 'json');
    expect(result).toMatchObject({ items: list.items.length, missing: [], files: [csv] });
    const rows = csvRows(csv);
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    const [first] = list.items;
    const people = listNamed('User Information List').items;
    const keeper = people.find(({ id }) => id === first?.fields['KeeperLookupId'])?.fields;
    const category = listNamed('Categories').items.find(({ id }) => id === first?.fields['CategoryLookupId']);
    const shown = {
      ID: first?.id,
      Title: first?.fields['Title'],
      Keeper: `${keeper?.['Title']} <${keeper?.['EMail']}>`,
      Category: category?.fields['Title'],
      Notes: first?.fields['Notes'],
    };
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...shown,
        Quantity: String(first?.fields['Quantity']),
        Related: 'Office; Travel',
        Link: 'Shop 0 <https://shop.example/0>',
        Active: String(first?.fields['Active']),
      }),
    );
    expect(read).toMatchObject({
      list: 'Inventory',
      columns: expect.arrayContaining([{ title: 'Created By', name: 'Author', type: 'user' }]),
      items: expect.arrayContaining([
        expect.objectContaining({ ...shown, Quantity: first?.fields['Quantity'], Related: ['Office', 'Travel'] }),
      ]),
    });
  });

  test('of which rows were chosen contains those alone', async () => {
    const { facts, items } = listNamed('Inventory');
    const chosen = items.slice(3, 5).map(({ id }) => `${facts.id}/items/${id}`);
    const path = stored.file('rows.csv');
    expect(await exportList(parts(), { ...scope, items: chosen }, path, 'csv')).toMatchObject({ items: 2 });
    expect(csvRows(path)).toHaveLength(2);
  });

  test('comes with all others of its site as a ZIP', async () => {
    const path = stored.file('site.zip');
    const result = await exportLists(parts(), scope, path);
    expect(result.missing).toEqual([]);
    expect(zipNames(path)).toEqual(
      expect.arrayContaining(['Inventory.csv', 'Inventory.json', 'Categories.csv', 'Categories.json']),
    );
  });
});

describe('values that another person has written', () => {
  const column = (name: string, facet: object, title = name): GivenItem => ({
    id: `l/columns/${name}`,
    kind: 'list-column',
    name: title,
    parentId: 'l',
    contents: json({ name, displayName: title, ...facet }),
  });
  const row = (id: string, fields: object, over: Partial<GivenItem> = {}): GivenItem => ({
    id: `l/items/${id}`,
    kind: 'list-item',
    parentId: 'l',
    contents: json({ id, fields: { id, ...fields } }),
    ...over,
  });
  const list: GivenItem = {
    id: 'l',
    kind: 'list',
    name: 'Ideas / 2026',
    contents: json({ columns: [{ name: 'Title' }, { name: 'Second' }, { name: 'Who' }] }),
  };
  const columns = [
    column('Second', { number: {} }, 'title'),
    column('Title', { text: {} }),
    column('Who', { personOrGroup: {} }),
    column('Secret', { text: {}, hidden: true }),
  ];

  test('run in no spreadsheet, and numbers stay numbers', async () => {
    const evil = ['=HYPERLINK("http://x")', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '＝1', 'a,"b"\nc'];
    const rows = evil.map((Title, at) => row(String(at), { Title, Second: -1 - at }));
    const scope = { ...(await stored.backUp(SITE, [list, ...columns, ...rows])), items: ['l'] };
    const path = stored.file('evil.csv');
    await exportList(parts(), scope, path, 'csv');
    const read = csvRows(path);
    if (!Array.isArray(read)) throw new Error('There are no rows.');
    for (const { ID, Title, 'title (Second)': second } of read) {
      const given = evil[Number(ID)] ?? '';
      expect(Title).toBe(given.startsWith('a,') ? given : `'${given}`);
      expect(Number(second)).toBe(-1 - Number(ID));
    }
    expect(read).toHaveLength(evil.length);
  });

  test('keep the order of the list, and columns of one title have different names; hidden ones are left out', async () => {
    const scope = { ...(await stored.backUp(SITE, [list, ...columns, row('1', { Title: 'One' })])), items: ['l'] };
    const path = stored.file('order.csv');
    await exportList(parts(), scope, path, 'csv');
    expect((await readFile(path, 'utf8')).split('\r\n')).toEqual([
      '\u{feff}ID,Title,title (Second),Who',
      '1,One,,',
      '',
    ]);
  });

  test('are shown by number where the person is not known, and attachments are reported', async () => {
    const given = row('1', { Title: 'One', WhoLookupId: '12' }, { details: { hasAttachments: true } });
    const scope = { ...(await stored.backUp(SITE, [list, ...columns, given])), items: ['l'] };
    const path = stored.file('list.json');
    const { without } = await exportList(parts(), scope, path, 'json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ items: [{ ID: '1', Title: 'One', Who: '#12' }] });
    expect(without).toMatchObject([
      { name: 'Ideas / 2026', reason: expect.stringMatching(/^1 of its items have att/) },
    ]);
  });

  test('of something else than a list are refused', async () => {
    const page: GivenItem = { id: 'p', kind: 'page', name: 'Home', contents: json({}) };
    const scope = await stored.backUp(SITE, [list, page]);
    const refused = { code: 'bad-request' };
    await expect(exportList(parts(), { ...scope, items: ['p'] }, 'x', 'csv')).rejects.toMatchObject(refused);
    const mailbox = { ...(await stored.backUp(MAILBOX, [])), items: null };
    await expect(exportList(parts(), mailbox, 'x', 'csv')).rejects.toMatchObject(refused);
  });
});
