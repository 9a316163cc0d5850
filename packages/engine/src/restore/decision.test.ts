import { describe, expect, test } from 'vitest';
import { Claims } from './claims.ts';
import { decide, decideByLooking } from './decision.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { FoundInPlace, RestoreItem } from './restore-place.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 9, 30, second));
const stored = { id: 'a', modifiedAt: at(0) };
const same = { id: 'x', modifiedAt: new Date(at(0).getTime() + 400) };
const other = { id: 'x', modifiedAt: at(9) };

describe('What is done with an item', () => {
  test.each([
    ['nothing there', null, 'skip', 'everything', { action: 'create', as: 'itself' }],
    ['nothing there', null, 'replace', 'missing', { action: 'create', as: 'itself' }],
    ['nothing there', null, 'replace', 'changed', { action: 'skip', reason: 'only-changed' }],
    ['unchanged', same, 'replace', 'everything', { action: 'skip', reason: 'unchanged' }],
    ['unchanged', same, 'keep-both', 'changed', { action: 'skip', reason: 'unchanged' }],
    ['changed', other, 'skip', 'everything', { action: 'skip', reason: 'exists' }],
    ['changed', other, 'replace', 'everything', { action: 'replace', found: other }],
    ['changed', other, 'keep-both', 'everything', { action: 'create', as: 'copy' }],
    ['changed', other, 'replace', 'missing', { action: 'skip', reason: 'only-missing' }],
  ] as const)('%s: %o with %s, %s', (_, found, conflict, only, decision) => {
    expect(decide(stored, found, { conflict, only })).toEqual(decision);
  });

  test('goes by the bytes where the target reports them, and treats an item without an instant as changed', () => {
    const options = { conflict: 'replace', only: 'everything' } as const;
    expect(decide(stored, { ...other, isUnchanged: true }, options)).toEqual({ action: 'skip', reason: 'unchanged' });
    expect(decide(stored, { ...same, isUnchanged: false }, options).action).toBe('replace');
    expect(decide(stored, { id: 'x', modifiedAt: null }, options).action).toBe('replace');
    expect(decide({ modifiedAt: null }, same, options).action).toBe('replace');
  });
});

test('Two hundred of one name are distinguished by what was listed of them, not each by a look', async () => {
  const tasks = Array.from({ length: 200 }, (_, at): RestoreItem => {
    const version = { id: `${at}`, modifiedAt: null, kind: 'task', name: 'Water the plants' } as RestoreItem['version'];
    return { version, properties: {}, contents: [], isChanged: false };
  });
  let looks = 0;
  const isUnchanged = async ({ id }: FoundInPlace, _: string, { version }: RestoreItem) => {
    looks += 1;
    return id === `x${version.id}`;
  };
  const work = {
    place: { isUnchanged, find: async () => [] },
    claims: new Claims(new Set()),
    options: { conflict: 'replace', only: 'everything' },
    namesakes: async () => tasks,
  } as const;
  for (const task of tasks) {
    const differs = (id: string) => (id === `x${task.version.id}` ? {} : { differs: true });
    // The newest first, as servers usually list them.
    const there = tasks
      .toReversed()
      .map(({ version: { id } }) => ({ id: `x${id}`, modifiedAt: at(9), ...differs(`x${id}`) }));
    const { decision } = await decideByLooking(work, task, 'list', there);
    expect(decision).toEqual({ action: 'skip', reason: 'unchanged' });
  }
  expect(looks).toBe(200);
});

describe('Of two stored items of one name', () => {
  const task = (id: string): RestoreItem => {
    const version = { id, modifiedAt: null, kind: 'task', name: 'Water the plants' } as RestoreItem['version'];
    return { version, properties: {}, contents: [], isChanged: false };
  };
  const [a, b] = [task('a'), task('b')];
  /** What an earlier restore wrote of the second one, and what a person made of the first one. */
  const [ofB, changed] = ['of b', 'of a, changed'].map((id) => ({ id, modifiedAt: at(9) }));

  /** What is done with the first one, and with the second one after it. */
  async function decided(options: Pick<RestoreOptions, 'conflict' | 'only'>, there: readonly FoundInPlace[]) {
    const place = {
      find: async () => [...there],
      isUnchanged: async ({ id }: FoundInPlace, _: string, { version }: RestoreItem) =>
        id === 'of b' && version.id === 'b',
    };
    const namesakes = async ({ version: { id } }: RestoreItem) => [a, b].filter(({ version }) => version.id !== id);
    const work = { place, claims: new Claims(new Set()), options, namesakes };
    const decisions = [];
    for (const item of [a, b]) decisions.push((await decideByLooking(work, item, 'list', there)).decision);
    return decisions;
  }
  const created = { action: 'create', as: 'itself' };
  const unchanged = { action: 'skip', reason: 'unchanged' };
  const skipped = (reason: string) => ({ action: 'skip', reason });
  type Found = FoundInPlace | undefined;
  const given = (found: readonly Found[]) => found.filter((one) => one !== undefined);

  test.each([
    ['replace', 'everything', [ofB, changed], [{ action: 'replace', found: changed }, unchanged]],
    ['keep-both', 'everything', [ofB, changed], [{ action: 'create', as: 'copy' }, unchanged]],
    ['skip', 'everything', [ofB, changed], [skipped('exists'), unchanged]],
    ['replace', 'missing', [ofB, changed], [skipped('only-missing'), unchanged]],
    ['replace', 'everything', [ofB], [created, unchanged]],
    ['keep-both', 'everything', [ofB], [created, unchanged]],
    ['skip', 'everything', [ofB], [created, unchanged]],
    ['replace', 'missing', [ofB], [created, unchanged]],
    ['replace', 'changed', [ofB], [skipped('only-changed'), unchanged]],
    ['keep-both', 'changed', [ofB], [skipped('only-changed'), unchanged]],
  ] as const)(
    '%s, %s, %j: the one that is unchanged is left alone, and no other is left out for it',
    async (conflict, only, found, decisions) => {
      expect(await decided({ conflict, only }, given(found))).toEqual(decisions);
    },
  );

  test('one that is found of neither is replaced once', async () => {
    const [first, second] = await decided({ conflict: 'replace', only: 'everything' }, given([changed]));
    expect([first?.action, second]).toEqual(['replace', created]);
  });
});

describe('What is there', () => {
  test('matches one item alone, the very same first, then one of the same instant', () => {
    const claims = new Claims(new Set());
    const found = [other, { id: 'y', modifiedAt: at(0) }, { id: 'a', modifiedAt: at(5) }];
    expect(claims.claim(stored, found)?.id).toBe('a');
    expect(claims.claim(stored, found)?.id).toBe('y');
    expect(claims.claim(stored, found)?.id).toBe('x');
    expect(claims.claim(stored, found)).toBeNull();
  });

  test('matches nothing when it is a copy that a restore made', () => {
    expect(new Claims(new Set()).claim(stored, [{ ...other, isCopy: true }])).toBeNull();
  });
});

describe('Items that may find each other', () => {
  test('take turns, and one that fails delays no other', async () => {
    const turns = new OneAtATime();
    const log: string[] = [];
    const work =
      (name: string, isBad = false) =>
      async () => {
        log.push(`begin ${name}`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`end ${name}`);
        if (isBad) throw new Error(name);
      };
    await Promise.allSettled([
      turns.run('k', work('1', true)),
      turns.run('k', work('2')),
      turns.run('other', work('3')),
    ]);
    expect(log.filter((line) => !line.includes('3'))).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(log.indexOf('begin 3')).toBeLessThan(log.indexOf('end 2'));
  });

  test('come after one that failed only when the caller could stop them', async () => {
    const turns = new OneAtATime();
    const stopping = new AbortController();
    const failing = async () => {
      throw new Error('It is over.');
    };
    const first = turns.run('k', failing).catch(async (error: unknown) => {
      await null;
      stopping.abort(error);
    });
    const second = turns.run('k', async () => stopping.signal.throwIfAborted());
    await expect(second).rejects.toThrow('It is over.');
    await first;
  });
});
