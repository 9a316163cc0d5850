import type { RepositoryCatalog } from '@keepwatch/engine/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBedObjects } from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { limitedCatalog } from './limited-catalog.ts';

let bed: RestoreBed;
let limited: RepositoryCatalog;
let mailboxes: Awaited<ReturnType<typeof readBedObjects>>;

beforeAll(async () => {
  bed = await startRestoreBed({ users: 3 });
  mailboxes = await readBedObjects(bed);
  limited = limitedCatalog(bed.stored.catalog, ({ id }) => id === mailboxes[0]?.id);
});
afterAll(() => bed.stop());

async function listOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of rows) all.push(one);
  return all;
}

/** What each method says of one mailbox: whether there is anything. */
const LOOKS: readonly [string, (catalog: RepositoryCatalog, at: number) => Promise<boolean>][] = [
  ['object', async (catalog, at) => (await catalog.object(keyAt(at))) !== null],
  ['findObjects', async (catalog, at) => (await catalog.findObjects({ limit: 10 })).rows.some(isAt(at))],
  [
    'restorePointObjects',
    async (catalog, at) => (await catalog.restorePointObjects(await runOf())).some(({ object }) => isAt(at)(object)),
  ],
  [
    'listRestorePoints',
    async (catalog, at) => (await catalog.listRestorePoints({ object: keyAt(at), limit: 1, offset: 0 })).length > 0,
  ],
  [
    'browse',
    async (catalog, at) => {
      const place = { object: keyAt(at), revision: revisionAt(at), parentId: null };
      return (await catalog.browse({ ...place, sort: 'name', limit: 5 })).rows.length > 0;
    },
  ],
  ['item', async (catalog, at) => (await catalog.item(keyAt(at), revisionAt(at), itemAt(at))) !== null],
  ['versionsOf', async (catalog, at) => (await catalog.versionsOf(keyAt(at), itemAt(at))).length > 0],
  [
    'changes',
    async (catalog, at) => {
      const states = { object: keyAt(at), from: 0, to: revisionAt(at), parentId: null };
      return (await catalog.changes({ ...states, limit: 5 })).rows.length > 0;
    },
  ],
  ['digest', async (catalog, at) => (await catalog.digest(keyAt(at), revisionAt(at), ['message'])).items > 0],
  ['walk', async (catalog, at) => (await listOf(catalog.walk(keyAt(at), revisionAt(at), null))).length > 0],
  ['weigh', async (catalog, at) => (await catalog.weigh(keyAt(at), revisionAt(at), null)).items > 0],
  ['currentIds', async (catalog, at) => (await listOf(catalog.currentIds(keyAt(at), ['message']))).length > 0],
  ['current', async (catalog, at) => (await catalog.current(keyAt(at), [itemAt(at)])).size > 0],
  [
    'search',
    async (catalog, at) =>
      (await catalog.search({ limit: 100, objects: [keyAt(at)] })).hits.some(({ object }) => isAt(at)(object)),
  ],
  [
    'search of everything',
    async (catalog, at) => (await catalog.search({ limit: 1_000 })).hits.some(({ object }) => isAt(at)(object)),
  ],
];

const keyAt = (at: number) => mailboxes[at]?.key ?? '';
const revisionAt = (at: number) => mailboxes[at]?.revision ?? 0;
const itemAt = (at: number) => mailboxes[at]?.items[0] ?? '';
const isAt =
  (at: number) =>
  ({ key }: { key: string }) =>
    key === keyAt(at);
const runOf = async () => (await bed.stored.catalog.listRestorePoints({ limit: 1, offset: 0 }))[0]?.run.id ?? '';

describe('a limited catalog', () => {
  it.each(LOOKS)('says by %s that there is nothing of what is outside, and all of what is within', async (_, look) => {
    const whole = bed.stored.catalog;
    expect([await look(whole, 0), await look(whole, 1)]).toEqual([true, true]);
    expect([await look(limited, 0), await look(limited, 1)]).toEqual([true, false]);
  });

  it('says nothing of what an object outside lacks', async () => {
    expect(await limited.objectFindings(keyAt(1), revisionAt(1))).toBeNull();
  });

  it.each(['usage', 'growth', 'listObjects', 'restorePoint', 'apply'] as const)(
    'refuses %s, which it cannot limit',
    (name) => {
      expect(() => limited[name]).toThrow('is not limited');
    },
  );
});
