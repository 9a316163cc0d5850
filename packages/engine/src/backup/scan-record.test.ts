import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Item, ItemKind } from '../model/items.ts';
import type { LostItem } from '../model/outcome.ts';
import type { Scan } from '../source/source.ts';
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

const message = (id: string, parentId = 'inbox') => ({ id, kind: 'message', parentId }) as const;

/** A record over an object that has these items. */
function bed(...ids: string[]) {
  const asked: unknown[] = [];
  const object = {
    wasKnown: true,
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

describe('of an object that is backed up for the first time', () => {
  /** Two records over what was stored in this run, one of which asks for it whenever a scan ends. */
  function newObject() {
    const stored = new Map<string, Pick<Item, 'id' | 'kind' | 'parentId'>>();
    let asked = 0;
    async function* currentIds(kinds: readonly ItemKind[], parentId?: string | null) {
      asked += 1;
      for (const item of stored.values())
        if (kinds.includes(item.kind) && (parentId === undefined || parentId === item.parentId)) yield item;
    }
    const sparing = new ScanRecord({ wasKnown: false, currentIds });
    const asking = new ScanRecord({ wasKnown: true, currentIds });
    return {
      begin(scan: Scan, isComplete: boolean) {
        for (const record of [sparing, asking]) record.begin(scan, isComplete);
      },
      put(item: Pick<Item, 'id' | 'kind' | 'parentId'>) {
        for (const record of [sparing, asking]) record.saw(item);
        stored.set(item.id, item);
      },
      async end(scan: Scan) {
        const expected = await idsOf(asking.end(scan, []));
        asked = 0;
        const found = await idsOf(sparing.end(scan, []));
        for (const id of expected) stored.delete(id);
        return { expected, found, asked };
      },
    };
  }

  test('nothing is asked for what only the scan itself can have stored', async () => {
    const object = newObject();
    for (const parentId of ['inbox', 'sent']) object.begin({ ...SCAN, scope: parentId, parentId }, true);
    for (const parentId of ['inbox', 'sent']) object.put(message(`in-${parentId}`, parentId));
    for (const parentId of ['inbox', 'sent'])
      expect(await object.end({ ...SCAN, scope: parentId, parentId })).toEqual({ expected: [], found: [], asked: 0 });
  });

  test('what a scan of before had listed is asked for, and gone when it is listed no more', async () => {
    const object = newObject();
    object.begin(SCAN, true);
    object.put(message('a'));
    object.begin(SCAN, true);
    expect(await object.end(SCAN)).toEqual({ expected: ['a'], found: ['a'], asked: 1 });
  });

  test('what was stored before a scan of its container began is asked for, whatever listed it', async () => {
    const inbox = { ...SCAN, scope: 'inbox', parentId: 'inbox' };
    const object = newObject();
    object.begin(SCAN, true);
    object.put(message('listed-by-the-whole'));
    object.begin(inbox, true);
    expect(await object.end(inbox)).toMatchObject({ found: ['listed-by-the-whole'], asked: 1 });
    const other = newObject();
    other.put(message('listed-by-none'));
    other.begin(inbox, true);
    expect(await other.end(inbox)).toMatchObject({ found: ['listed-by-none'], asked: 1 });
  });

  test('whatever was stored in which order, the same is gone as if all were asked for', async () => {
    const parent = fc.constantFrom('inbox', 'sent', null);
    const kind = fc.constantFrom<ItemKind>('message', 'event');
    const places: Omit<Scan, 'scope'>[] = [
      { kinds: ['message'], parentId: 'inbox' },
      { kinds: ['message'], parentId: 'sent' },
      { kinds: ['message', 'event'], parentId: null },
      { kinds: ['event'] },
      { kinds: ['message', 'event'] },
    ];
    const scan = fc.constantFrom(...places.map((place): Scan => ({ ...place, scope: JSON.stringify(place) })));
    const step = fc.oneof(
      fc.record({ type: fc.constant('begin' as const), scan, isComplete: fc.boolean() }),
      fc.record({ type: fc.constant('end' as const), scan }),
      fc.record({
        type: fc.constant('put' as const),
        item: fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), kind, parentId: parent }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const object = newObject();
        for (const one of steps) {
          if (one.type === 'begin') object.begin(one.scan, one.isComplete);
          else if (one.type === 'put') object.put(one.item);
          else {
            const { expected, found } = await object.end(one.scan);
            expect(found).toEqual(expected);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
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
