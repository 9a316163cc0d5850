import { afterEach, describe, expect, it } from 'vitest';
import type { Console, Resource } from '../testing/console.ts';
import { startConsole } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import { answerJson } from '../testing/vendor.ts';
import { readPages } from './pages.ts';

let running: Console;
afterEach(() => running.stop());

async function read(resource: Resource): Promise<unknown[]> {
  running = await startConsole({ things: resource });
  const entities: unknown[] = [];
  for await (const page of readPages(running.client, 'things', { expand: 'More' }, quiet()))
    entities.push(...page.entities);
  return entities;
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** A resource that makes a page from the offset asked for, with a total that the vendor claims. */
function pages(make: (offset: number) => { data: unknown; total: number }): Resource {
  return (_, reply, url) => {
    const { data, total } = make(Number(url.searchParams.get('offset')));
    answerJson(reply, { data, meta: { pagingInfo: { total, count: 0, offset: 0 } } });
  };
}

describe('reading pages', () => {
  it('asks for 500 at a time, with the query on every page, until the total is reached', async () => {
    const all = numbers(0, 1200);
    expect(await read(all)).toEqual(all);
    const asked = running.requestsFor('things').map((url) => url.search);
    expect(asked).toEqual([0, 500, 1000].map((offset) => `?expand=More&limit=500&offset=${offset}`));
  });

  it('goes on after short pages, and asks an empty collection once', async () => {
    expect(await read(pages((offset) => ({ data: numbers(offset, 3), total: 9 })))).toEqual(numbers(0, 9));
    await running.stop();
    expect(await read([])).toEqual([]);
    expect(running.requestsFor('things')).toHaveLength(1);
  });

  it('reads a collection without paging information until a page is not full', async () => {
    const all = numbers(0, 700);
    const withoutMeta: Resource = (_, reply, url) => {
      const offset = Number(url.searchParams.get('offset'));
      answerJson(reply, { data: all.slice(offset, offset + 500), meta: null });
    };
    expect(await read(withoutMeta)).toEqual(all);
  });

  it.each<[string, (offset: number) => { data: unknown; total: number }]>([
    ['sends the same page for ever', () => ({ data: numbers(0, 500), total: 100_000 })],
    ['has ever more pages', (offset) => ({ data: numbers(offset, 500), total: offset + 1000 })],
    ['ends before its own total', (offset) => ({ data: offset === 0 ? [1, 2] : [], total: 900 })],
    ['has larger pages than asked for', () => ({ data: numbers(0, 501), total: 501 })],
    ['is no list', () => ({ data: { first: 1 }, total: 1 })],
    ['has a total below zero', () => ({ data: [1], total: -1 })],
  ])('gives up, within bounds, on a vendor that %s', async (_, make) => {
    await expect(read(pages(make))).rejects.toMatchObject({ kind: 'bad-reply' });
    expect(running.requests.length).toBeLessThan(30);
  });

  it('hands on what the vendor says is missing from a page', async () => {
    running = await startConsole({
      things: (_, reply) => answerJson(reply, { data: [1], errors: [{ message: 'Server B did not answer' }] }),
    });
    for await (const page of readPages(running.client, 'things', {}, quiet())) {
      expect(page).toEqual({ entities: [1], errors: ['Server B did not answer'] });
    }
    expect.assertions(1);
  });
});
