import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { isObject, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let drive: string;

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const { body } = await client.get(`/users/ada.lindqvist@${tenant.domain}/drive`);
  drive = `/drives/${textOf(valueAt(body, 'id'))}`;
});
afterAll(() => tenant.stop());

const latest = async () =>
  textOf(valueAt((await client.get(`${drive}/root/delta?token=latest`)).body, '@odata.deltaLink')) ?? '';
const put = (path: string, text: string) => client.ask('PUT', `${drive}/root:/${path}:/content`, text);
const idOf = (body: unknown) => textOf(valueAt(body, 'id')) ?? '';

/** What a client knows of the drive: the items by id, updated by pages of changes. */
function apply(known: Map<string, Record<string, unknown>>, changes: readonly Record<string, unknown>[]): void {
  for (const item of changes) {
    if (isObject(item['deleted'])) known.delete(String(item['id']));
    else known.set(String(item['id']), item);
  }
}

/** Paths and revisions as a client puts them together of names and parents. */
function treeOf(known: Map<string, Record<string, unknown>>): string[] {
  const pathOf = (item: Record<string, unknown> | undefined): string => {
    if (!item) return '(lost)';
    if (isObject(item['root'])) return '';
    return `${pathOf(known.get(String(valueAt(item, 'parentReference/id'))))}/${String(item['name'])}`;
  };
  return [...known.values()].map((item) => `${pathOf(item)} ${String(item['size'])}`).sort();
}

test('a first round lists every item once it is drained, whatever the size of the pages', async () => {
  const whole = await client.drain(`${drive}/root/delta`);
  const paged = await client.drain(`${drive}/root/delta?$top=7`);
  expect(paged.pages).toBeGreaterThan(5);
  const [one, other] = [whole, paged].map(({ value }) => [...new Set(value.map(({ id }) => id))].sort());
  expect(other).toEqual(one);
  expect(whole.value.every((item) => valueAt(item, 'parentReference/path') === undefined)).toBe(true);
});

test('a new, a changed, a renamed and a moved item come with the folders above them; a deleted one with its facet', async () => {
  await client.ask('POST', `${drive}/root/children`, { name: 'Delta', folder: {} });
  const [changed, gone] = [await put('Delta/changed.txt', 'a'), await put('Delta/gone.txt', 'b')];
  const link = await latest();
  await put('Delta/changed.txt', 'longer');
  await client.ask('PATCH', `${drive}/items/${idOf(changed.body)}`, { name: 'renamed.txt' });
  await client.ask('DELETE', `${drive}/items/${idOf(gone.body)}`);
  const { value, deltaLink } = await client.drain(link);
  expect(value).toMatchObject([
    { root: {} },
    { name: 'Delta', folder: {} },
    { id: idOf(changed.body), name: 'renamed.txt', size: 6 },
    { id: idOf(gone.body), deleted: { state: 'deleted' } },
  ]);
  expect(value.at(-1)).not.toHaveProperty('name');
  expect((await client.drain(deltaLink ?? '')).value).toEqual([]);
});

test('with deltaExcludeParent only what changed itself comes', async () => {
  const link = await latest();
  await put('Delta/alone.txt', 'x');
  const { value } = await client.drain(link, { deltaExcludeParent: 'true' });
  expect(value.map(({ name }) => name)).toEqual(['alone.txt']);
});

test('a deleted folder takes everything below it along, what is in it first', async () => {
  await put('Tree/a/b.txt', 'x');
  const link = await latest();
  const folder = await client.get(`${drive}/root:/Tree`);
  expect((await client.ask('DELETE', `${drive}/items/${idOf(folder.body)}`)).status).toBe(204);
  const { value } = await client.drain(link);
  expect(value.map(({ deleted }) => deleted)).toEqual([undefined, ...[1, 2, 3].map(() => ({ state: 'deleted' }))]);
  expect(value.at(-1)).toMatchObject({ id: idOf(folder.body) });
});

test('accepts the token in the path of the function', async () => {
  const token = new URL(await latest()).searchParams.get('$deltatoken') ?? '';
  await put('by-function.txt', 'x');
  const { value } = await client.drain(`${drive}/root/delta(token='${token}')`);
  expect(value.map(({ name }) => name)).toEqual(['root', 'by-function.txt']);
});

test('a client that follows the changes of a world has the same tree as one that starts again', async () => {
  const known = new Map<string, Record<string, unknown>>();
  let { value, deltaLink } = await client.drain(`${drive}/root/delta?$top=20`);
  apply(known, value);
  for (let round = 0; round < 5; round += 1) {
    tenant.advance(60_000);
    tenant.evolve(400);
    ({ value, deltaLink } = await client.drain(deltaLink ?? ''));
    apply(known, value);
  }
  const fresh = new Map<string, Record<string, unknown>>();
  apply(fresh, (await client.drain(`${drive}/root/delta`)).value);
  expect(treeOf(known)).toEqual(treeOf(fresh));
  expect(treeOf(known).some((path) => path.includes('(lost)'))).toBe(false);
});

test('an item that is deleted during a first round, after it was listed, is reported as deleted', async () => {
  const first = await client.get(`${drive}/root/delta?$top=5`);
  const listed = valueAt(first.body, 'value');
  const file = (Array.isArray(listed) ? listed : []).filter(isObject).find(({ root }) => !root);
  expect((await client.ask('DELETE', `${drive}/items/${idOf(file)}`)).status).toBe(204);
  const rest = await client.drain(textOf(valueAt(first.body, '@odata.nextLink')) ?? '');
  expect(rest.value.filter(({ deleted }) => deleted !== undefined).map(idOf)).toContain(idOf(file));
});

test('an expired token is refused with 410 and the address to start again from', async () => {
  const link = await latest();
  tenant.advance(40 * 86_400_000);
  client = await TenantClient.signIn(tenant);
  const { status, headers, body } = await client.get(link);
  expect([status, valueAt(body, 'error/code')]).toEqual([410, 'resyncChangesApplyDifferences']);
  expect((await client.drain(headers.get('location') ?? '')).value.length).toBeGreaterThan(50);
});
