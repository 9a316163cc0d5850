import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp as backUpJob } from '../../backup/backup.ts';
import { listSource, MAILBOX } from '../../browse/testing/list-source.ts';
import { StoredBackup } from '../../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import { EVERYTHING } from '../../testing/written-source.ts';
import type { ListedObject, ObjectQuery } from '../catalog.ts';

const MAIL = 'Subject: Hi\r\n\r\nHello\r\n';
let stored: StoredBackup;
let firstPoint = '';
let lastPoint = '';
let bobPoint = '';

const message = (id: string) =>
  ({ id, kind: 'message', name: id, parentId: null, sizeBytes: 100, contents: { mime: MAIL } }) as const;

/** Of some, to whom they belong. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['Bob', 'group/shop'],
  ['Zoë', 'team/shop'],
]);

async function backUp(name: string, organizationId: string, ...ids: string[]): Promise<string> {
  const owner = OWNERS.get(name) ?? null;
  const address = `${name.toLowerCase()}@${organizationId}.example`;
  return backUpObject({ ...MAILBOX, id: name, name, organizationId, owner, address }, ids);
}

const backUpSite = (name: string, path: string) =>
  backUpObject(
    {
      kind: 'site',
      id: name,
      name,
      organizationId: 'sites',
      owner: null,
      address: `https://Contoso.sharepoint.example/sites/${path}`,
    },
    [],
  );

async function backUpObject(object: ProtectedObject, ids: readonly string[]): Promise<string> {
  const source = listSource(object, ids.map(message));
  // A job of its own: others do not miss its objects.
  const { name, organizationId } = object;
  const job = { id: `${organizationId} ${name}`, name, selection: EVERYTHING };
  const { repository, catalog } = stored;
  return (await backUpJob({ repository, catalog, source, signal: new AbortController().signal }, job)).run;
}

beforeAll(async () => {
  stored = await StoredBackup.create();
  firstPoint = await backUp('ada', 'contoso', 'one', 'two');
  bobPoint = await backUp('Bob', 'contoso', 'one');
  for (const name of ['bob', 'Zoë', '100%_sure']) await backUp(name, 'contoso', 'one');
  await backUp('Ada', 'fabrikam', 'one');
  lastPoint = await backUp('ada', 'contoso', 'one');
}, 60_000);
afterAll(() => stored.close());

async function all(query: Omit<ObjectQuery, 'limit' | 'after'>, limit: number): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  let after: string | undefined;
  do {
    const page = await stored.catalog.findObjects({ ...query, limit, ...(after === undefined ? {} : { after }) });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    found.push(...page.rows);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}

describe('a list of objects', () => {
  test('comes in pages of any size in the order of names, each object once, and without cursors', async () => {
    const whole = await all({}, 100);
    expect(whole.map(({ name }) => name)).toEqual(['100%_sure', 'Ada', 'ada', 'Bob', 'bob', 'Zoë']);
    for (const size of [1, 2, 3]) expect(await all({}, size)).toEqual(whole);
    expect(whole.find(({ name }) => name === 'Ada')).toEqual({
      key: expect.any(String),
      organizationId: 'fabrikam',
      kind: 'mailbox',
      id: 'Ada',
      name: 'Ada',
      owner: null,
      address: 'ada@fabrikam.example',
      revision: 1,
      restorePoint: null,
      cursor: expect.any(String),
    });
  });

  test('is searched in names and addresses, in any case, and signs of patterns mean themselves', async () => {
    const names = async (text: string) => (await all({ text }, 2)).map(({ name }) => name);
    expect(await names(' BOB ')).toEqual(['Bob', 'bob']);
    expect(await names('fabrikam')).toEqual(['Ada']);
    expect(await names('%_')).toEqual(['100%_sure']);
    expect(await names('b%b')).toEqual([]);
    expect(await names('ZOË')).toEqual(['Zoë']);
  });

  test('is of one organization, of some kinds, of some owners, or of a restore point with the revisions there', async () => {
    expect((await all({ organizationId: 'fabrikam' }, 5)).map(({ name }) => name)).toEqual(['Ada']);
    expect(await all({ kinds: ['drive'] }, 5)).toEqual([]);
    const ofShop = await all({ owners: ['team/shop', 'group/shop'] }, 1);
    expect(ofShop.map(({ name }) => name)).toEqual(['Bob', 'Zoë']);
    expect((await all({ restorePoints: [firstPoint] }, 5)).map(({ name, revision }) => [name, revision])).toEqual([
      ['ada', 1],
    ]);
    expect((await all({ restorePoints: [lastPoint] }, 5)).find(({ name }) => name === 'ada')?.revision).toBe(2);
    expect(await all({ restorePoints: ['none'] }, 5)).toEqual([]);
  });

  test('is of several restore points, each object once as the first of them has it', async () => {
    const at = async (...restorePoints: string[]) =>
      (await all({ restorePoints }, 1)).map(({ name, revision, restorePoint }) => [name, revision, restorePoint]);
    const bob = ['Bob', 1, bobPoint];
    expect(await at(firstPoint, bobPoint, lastPoint)).toEqual([['ada', 1, firstPoint], bob]);
    expect(await at(lastPoint, 'none', bobPoint, firstPoint)).toEqual([['ada', 2, lastPoint], bob]);
  });

  test('goes on behind any of its rows', async () => {
    const whole = await all({}, 100);
    const { rows } = await stored.catalog.findObjects({ limit: 100, after: whole[2]?.cursor ?? '' });
    expect(rows).toEqual(whole.slice(3));
  });

  test('refuses a cursor of anything else', async () => {
    await expect(stored.catalog.findObjects({ limit: 5, after: 'nonsense' })).rejects.toMatchObject({
      code: 'bad-request',
    });
  });
});

describe('usage', () => {
  test('counts current items and restore points, of the repository with what is in the store', async () => {
    const { catalog, repository } = stored;
    let storedBytes = 0;
    for await (const { sizeBytes } of repository.listPacks()) storedBytes += sizeBytes;
    const usage = await catalog.usage();
    expect(usage).toMatchObject({ objects: 6, items: 6, bytes: 600, restorePoints: 7, storedBytes });
    expect(usage.newestRestorePoint?.getTime()).toBeGreaterThan(usage.oldestRestorePoint?.getTime() ?? 0);
    expect(await catalog.usage('fabrikam')).toMatchObject({
      objects: 1,
      items: 1,
      bytes: 100,
      restorePoints: 1,
      storedBytes: null,
    });
    expect(await catalog.usage('unknown')).toMatchObject({
      objects: 0,
      items: 0,
      restorePoints: 0,
      oldestRestorePoint: null,
    });
  });

  test('sums the current items of the objects that are asked for', async () => {
    const { catalog } = stored;
    const { rows } = await catalog.findObjects({ organizationId: 'fabrikam', limit: 1 });
    const [ada] = rows;
    if (ada === undefined) throw new Error('The test has no object of fabrikam.');
    expect(await catalog.objectBytes([ada.key, 'unknown'])).toEqual(new Map([[ada.key, 100]]));
    expect(await catalog.objectBytes([])).toEqual(new Map());
  });

  test('says day by day what backups brought, of all and of one organization', async () => {
    const from = new Date(Date.now() - 86_400_000);
    const to = new Date(Date.now() + 86_400_000);
    const sum = (days: readonly { runs: number; itemsRead: number }[]) =>
      days.reduce((all, { runs, itemsRead }) => [(all[0] ?? 0) + runs, (all[1] ?? 0) + itemsRead], [0, 0]);
    const days = await stored.catalog.growth({ from, to });
    expect(sum(days)).toEqual([7, 8]);
    expect(days[0]?.day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(days.reduce((all, { bytesStored }) => all + bytesStored, 0)).toBeGreaterThan(0);
    expect(sum(await stored.catalog.growth({ from, to, organizationId: 'fabrikam' }))).toEqual([1, 1]);
    expect(await stored.catalog.growth({ from, to, job: 'other' })).toEqual([]);
    expect(await stored.catalog.growth({ from: to, to })).toEqual([]);
  });
});

test('a name longer than an entry of an index is stored, listed in its place and stops no other backup', async () => {
  // Each of these letters has three bytes: the name of a site with that of a library, 255 characters each.
  const long =
    '\u4e00'.repeat(400) +
    Array.from({ length: 120 }, (_, index) => String.fromCodePoint(0x4e00 + index * 37)).join('');
  for (const name of [`${long} a`, `${long} b`]) await backUp(name, 'longnames', 'one');
  await backUp('Ada', 'longnames', 'one');
  for (const size of [1, 2, 10]) {
    const found = await all({ organizationId: 'longnames' }, size);
    expect(found.map(({ name }) => name).sort()).toEqual(['Ada', `${long} a`, `${long} b`]);
  }
});

test('a list of objects is of some keys, of some addresses, and of what is directly below some', async () => {
  for (const [name, path] of [
    ['Shop', 'shop'],
    ['Orders', 'shop/orders'],
    ['Returns', 'Shop/returns/'],
    ['Late', 'shop/orders/late'],
  ] as const)
    await backUpSite(name, path);
  const [ada] = await all({ organizationId: 'fabrikam' }, 5);
  expect(await all({ keys: [ada?.key ?? '', 'none'] }, 5)).toEqual([ada]);
  const names = async (query: Pick<ObjectQuery, 'addresses' | 'below'>) =>
    (await all({ ...query, kinds: ['site'] }, 2)).map(({ name }) => name);
  const at = 'https://contoso.sharepoint.example';
  expect(await names({ addresses: [`${at}/sites/SHOP/`, `${at}/sites`] })).toEqual(['Shop']);
  expect(await names({ below: [`${at}/sites/shop`] })).toEqual(['Orders', 'Returns']);
  expect(await names({ below: [`${at}/sites/shop/orders/`] })).toEqual(['Late']);
  expect(await names({ below: [] })).toEqual([]);
});
