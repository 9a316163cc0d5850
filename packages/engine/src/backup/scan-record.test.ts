import { expect, test } from 'vitest';
import type { Item } from '../model/items.ts';
import type { LostItem } from '../model/outcome.ts';
import { gathered } from '../testing/gathered.ts';
import { digest, ScanRecord } from './scan-record.ts';

const SCAN = { scope: 'mail', kinds: ['message'] } as const;
const lost = (id: string, over: Partial<LostItem> = {}): LostItem => ({
  id,
  kind: 'message',
  name: id,
  parentId: 'inbox',
  reason: 'x',
  ...over,
});

const message = (id: string) => ({ id, kind: 'message' }) as const;

/** A record over an object that has these items. */
function bed(...ids: string[]) {
  const asked: unknown[] = [];
  const object = {
    async *currentIds(...question: unknown[]): AsyncGenerator<Pick<Item, 'id' | 'parentId'>> {
      asked.push(question);
      for (const id of ids) yield { id, parentId: 'inbox' };
    },
  };
  return { record: new ScanRecord(object), asked };
}

const idsOf = async (items: AsyncIterable<{ id: string }>) => (await gathered(items)).map(({ id }) => id);

test('what a whole scan did not list is gone: items that were there, and lost ones of earlier runs', async () => {
  const { record, asked } = bed('a', 'b', 'c');
  record.begin({ ...SCAN, parentId: 'inbox' }, true);
  for (const id of ['a', 'c', 'listed-as-lost']) record.saw(message(id));
  const all = [
    lost('listed-as-lost'),
    lost('old'),
    lost('elsewhere', { parentId: 'archive' }),
    lost('event', { kind: 'event' }),
  ];
  expect(await idsOf(record.end({ ...SCAN, parentId: 'inbox' }, all))).toEqual(['b', 'old']);
  expect(asked).toEqual([[['message'], 'inbox']]);
});

test('a scan that continues after a break removes no items, and neither does one that never began', async () => {
  const { record } = bed('a', 'b');
  record.begin(SCAN, false);
  record.saw(message('a'));
  expect(await idsOf(record.end(SCAN, [lost('old')]))).toEqual([]);
  expect(await idsOf(record.end(SCAN, [lost('old')]))).toEqual([]);
});

test('of two scans at once each ends alone, and what one listed the other need not list', async () => {
  const { record } = bed('a', 'b');
  const other = { ...SCAN, scope: 'archive' };
  record.begin(SCAN, true);
  record.saw(message('a'));
  record.begin(other, true);
  record.saw(message('b'));
  expect(await idsOf(record.end(SCAN, []))).toEqual([]);
  expect(await idsOf(record.end(other, []))).toEqual(['a']);
});

test('a scan that begins again forgets what it had listed before', async () => {
  const { record } = bed('a', 'b');
  record.begin(SCAN, true);
  record.saw(message('a'));
  record.begin(SCAN, true);
  record.saw(message('b'));
  expect(await idsOf(record.end(SCAN, []))).toEqual(['a']);
});

test('what a scan does not cover stays, although it is of its kind and not listed', async () => {
  const { record } = bed('a', 'b', 'c');
  record.begin({ ...SCAN, except: ['b', 'lost'] }, true);
  record.saw(message('a'));
  expect(await idsOf(record.end(SCAN, [lost('lost')]))).toEqual(['c']);
});

test('ids that differ in few characters have digests of their own, spread over the whole range', () => {
  const ids = Array.from({ length: 30_000 }, (_, number) => {
    const bytes = Buffer.alloc(105);
    bytes.writeUInt32LE(number, 100);
    return [`AAMkAG${bytes.toString('base64')}=`, `site,${number}/list`, String(number)];
  }).flat();
  const digests = ids.map(digest);
  expect(new Set(digests).size).toBe(ids.length);
  expect(digests.every((one) => Number.isSafeInteger(one) && one > 0)).toBe(true);
  const eighths = Array<number>(8).fill(0);
  for (const one of digests) eighths[Math.floor(one / 2 ** 50)] = (eighths[Math.floor(one / 2 ** 50)] ?? 0) + 1;
  for (const count of eighths) expect(count / (ids.length / 8)).toBeCloseTo(1, 1);
});
