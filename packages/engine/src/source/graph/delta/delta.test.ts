import { describe, expect, test } from 'vitest';
import { gathered } from '../../../testing/gathered.ts';
import { connectOffline } from '../../../testing/graph/unsent-graph.ts';
import { jsonReply } from '../../../testing/made-reply.ts';
import { type DeltaScope, type DeltaStep, readDelta } from './delta.ts';
import { cursorText, type DeltaCursor, readCursor } from './delta-cursor.ts';

const SCOPE: DeltaScope = { scope: 'inbox', path: '/users/one/messages/delta', headers: {}, kinds: ['message'] };
const { signal } = new AbortController();
const BASE = 'https://graph.microsoft.com/v1.0';

/** Pages by their addresses; a number is a refusal with that status. */
type Pages = Readonly<Record<string, { ids: string[]; next?: string; delta?: string } | number>>;

function reading(pages: Pages, from: DeltaCursor | null) {
  const { connection, sent } = connectToPages(pages);
  return { steps: readDelta(connection, SCOPE, from, signal), sent };
}

function connectToPages(pages: Pages) {
  return connectOffline(({ url }) => {
    const page = pages[url.slice(BASE.length)];
    if (page === undefined || typeof page === 'number')
      return jsonReply(
        { error: { code: page === 410 ? 'SyncStateNotFound' : 'x', message: '' } },
        { status: page ?? 404 },
      );
    const { ids, next, delta } = page;
    return jsonReply({
      value: ids.map((id) => ({ id })),
      ...(next === undefined ? {} : { '@odata.nextLink': `${BASE}${next}` }),
      ...(delta === undefined ? {} : { '@odata.deltaLink': `${BASE}${delta}` }),
    });
  });
}

/** The steps in short: the ids of a page; the phase and link of a cursor. */
function inShort(step: DeltaStep): string {
  if (step.type === 'page') return step.values.map(({ id }) => id).join(' ');
  if (step.type === 'scan-begin') return step.resumed ? 'resume' : 'begin';
  if (step.type !== 'cursor') return step.type;
  const cursor = readCursor(step.value ?? undefined);
  return cursor === null ? 'no cursor' : `${cursor.phase} ${cursor.link?.slice(BASE.length) ?? 'from the start'}`;
}

const at = (phase: DeltaCursor['phase'], link: string | null): DeltaCursor => ({
  phase,
  link: link === null ? null : `${BASE}${link}`,
  askedMs: 0,
});

const TWO_PAGES: Pages = {
  '/users/one/messages/delta': { ids: ['a', 'b'], next: '/p2' },
  '/p2': { ids: ['c'], delta: '/d1' },
};

describe('A delta', () => {
  test('is a scan in its first round, and each cursor comes behind the page before it', async () => {
    const { steps } = reading(TWO_PAGES, null);
    expect((await gathered(steps)).map(inShort)).toEqual(['begin', 'a b', 'scan /p2', 'c', 'scan-end', 'round /d1']);
  });

  test('that was interrupted in its first round is resumed there, and says that it does not list everything', async () => {
    const { steps, sent } = reading(TWO_PAGES, at('scan', '/p2'));
    expect((await gathered(steps)).map(inShort)).toEqual(['resume', 'c', 'scan-end', 'round /d1']);
    expect(sent.map(({ url }) => url)).toEqual([`${BASE}/p2`]);
  });

  test('lists only what changed in later rounds', async () => {
    const { steps } = reading(
      { '/d1': { ids: ['x'], next: '/d1b' }, '/d1b': { ids: [], delta: '/d2' } },
      at('round', '/d1'),
    );
    expect((await gathered(steps)).map(inShort)).toEqual(['x', 'round /d1b', '', 'round /d2']);
  });

  test.each(['/d1', '/d1b'])(
    'whose link %s has expired starts over with a full scan, which cannot be resumed in its middle',
    async (lost) => {
      const pages: Pages = {
        ...TWO_PAGES,
        '/d1': { ids: ['x'], next: '/d1b' },
        '/d1b': { ids: [], delta: '/d2' },
        [lost]: 410,
      };
      const { steps } = reading(pages, at('round', '/d1'));
      const seen = (await gathered(steps)).map(inShort);
      expect(seen.slice(seen.indexOf('rescan from the start'))).toEqual([
        'rescan from the start',
        'begin',
        'a b',
        'c',
        'scan-end',
        'round /d1',
      ]);
    },
  );

  test('whose full scan was interrupted starts over once more', async () => {
    const { steps } = reading(TWO_PAGES, at('rescan', null));
    expect((await gathered(steps)).map(inShort)).toEqual([
      'rescan from the start',
      'begin',
      'a b',
      'c',
      'scan-end',
      'round /d1',
    ]);
  });

  test.each([null, at('rescan', null), at('round', '/d1')])(
    'whose last page has no link to the next round fails before anything is reported as gone (%j)',
    async (from) => {
      const { steps } = reading({ '/users/one/messages/delta': { ids: ['a'] }, '/d1': { ids: [] } }, from);
      const seen: string[] = [];
      const drained = (async () => {
        for await (const step of steps) seen.push(inShort(step));
      })();
      await expect(drained).rejects.toMatchObject({ code: 'source-refused', isRetryable: true });
      expect(seen).not.toContain('scan-end');
      expect(seen).not.toContain('no cursor');
    },
  );

  test.each([
    ['a month after its last full scan', 38, true, 'rescan from the start'],
    ['three weeks after', 21, true, ''],
    ['at once, when its first round was interrupted', 0, true, 'rescan from the start'],
    ['never, when its delta does not list everything', 400, false, ''],
  ])('is read from its start %s', async (_name, days, isRereadMonthly, first) => {
    const { connection } = connectToPages({ ...TWO_PAGES, '/d1': { ids: [], delta: '/d2' } });
    const wholeMs = days === 0 ? 0 : connection.clock.now() - days * 86_400_000;
    const from = { ...at('round', '/d1'), wholeMs };
    const steps = await gathered(readDelta(connection, { ...SCOPE, isRereadMonthly }, from, signal));
    expect(steps.map(inShort)[0]).toBe(first);
    const last = steps.at(-1);
    const cursor = last?.type === 'cursor' ? readCursor(last.value ?? undefined) : null;
    expect(cursor?.wholeMs === wholeMs).toBe(first === '');
  });

  test('that is refused for another reason is refused', async () => {
    await expect(gathered(reading({ '/d1': 403 }, at('round', '/d1')).steps)).rejects.toMatchObject({
      code: 'consent-missing',
    });
  });
});

describe('A cursor', () => {
  test('comes back as it was written', () => {
    const cursor = { ...at('round', '/d1'), memory: { from: '2026-01-01' } };
    expect(readCursor(cursorText(cursor))).toEqual(cursor);
  });

  test.each([undefined, '', '{', 'null', '7', '[]', '{"phase":"later"}'])(
    'with the text %j is ignored: the whole scope is read again',
    (text) => {
      expect(readCursor(text)).toBeNull();
    },
  );
});
