import { describe, expect, test } from 'vitest';
import { cutStream, distortPage, slowStream } from './bodies.ts';
import type { Fault, FaultKind } from './fault.ts';

const fault = (kind: FaultKind, parameters: Fault['parameters'] = {}): Fault => ({ kind, parameters });
const page = (count: number, total = count, offset = 0) => ({
  meta: { pagingInfo: { total, count, offset } },
  data: Array.from({ length: count }, (_, index) => ({
    instanceUid: `uid-${index}`,
    name: `name ${index}`,
    size: index,
  })),
});

describe('a page', () => {
  test.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [5, 3],
    [500, 250],
  ])('of %i has %i entities when it is halved, so that reading on always gets further', (count, left) => {
    const whole = page(count, 900);
    expect(distortPage(fault('half-page'), whole, 0)).toEqual({
      meta: { pagingInfo: { total: 900, count: left, offset: 0 } },
      data: whole.data.slice(0, left),
    });
  });

  test('that comes for ever promises more than was asked for, with the same entities', () => {
    for (const asked of [0, 100, 5_000_000]) {
      const body = distortPage(fault('same-page'), page(100, 900), asked);
      expect(body).toMatchObject({ data: page(100).data, meta: { pagingInfo: { total: 900 + asked, offset: asked } } });
    }
  });

  test('of a wrong shape lacks one property and has another of the wrong type, in the entity that was named', () => {
    const whole = page(3);
    const spoilt = { name: { unexpected: [1, null] }, size: 1 };
    expect(distortPage(fault('wrong-shape', { index: 1 }), whole, 0)).toEqual({
      ...whole,
      data: [whole.data[0], spoilt, whole.data[2]],
    });
    expect(distortPage(fault('wrong-shape', { index: 0, missing: 'size', wrong: 'size' }), page(1), 0)).toMatchObject({
      data: [{ instanceUid: 'uid-0', size: { unexpected: [1, null] } }],
    });
  });

  test('is as it was when the entity to spoil is not on it', () => {
    expect(distortPage(fault('wrong-shape', { index: 7 }), page(3), 0)).toEqual(page(3));
  });

  test('is not changed in place: the next request gets it whole', () => {
    const whole = page(4);
    for (const kind of ['half-page', 'same-page', 'wrong-shape'] as const) distortPage(fault(kind), whole, 4);
    expect(whole).toEqual(page(4));
  });

  test.each(['half-page', 'same-page', 'wrong-shape', 'throttle', 'slow'] as const)(
    '%s leaves what is no page',
    (kind) => {
      for (const body of [null, 'text', { data: { one: 1 } }, { data: [] }]) {
        expect(distortPage(fault(kind), body, 0)).toBe(body);
      }
    },
  );
});

async function chunksOf(stream: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe('a body', () => {
  const text = '{"name":"Ærøskøbing — 備份 🔐"}';

  test('that comes slowly comes whole, also where a letter is torn in two', async () => {
    const chunks = await chunksOf(slowStream(text, fault('slow', { chunkBytes: 3, intervalMs: 0 })));
    expect(chunks.length).toBe(Math.ceil(Buffer.byteLength(text) / 3));
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  test('ends even when the requested piece size is zero', async () => {
    const chunks = await chunksOf(slowStream('four', fault('slow', { chunkBytes: 0, intervalMs: 0 })));
    expect(Buffer.concat(chunks).toString()).toBe('four');
  });

  test('that is cut gives its first half and then breaks', async () => {
    const received: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of cutStream(text)) received.push(chunk);
    })();
    await expect(reading).rejects.toThrow('broke the connection');
    expect(Buffer.concat(received)).toEqual(Buffer.from(text).subarray(0, Math.ceil(Buffer.byteLength(text) / 2)));
  });
});
