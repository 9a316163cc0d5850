import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareRevisions } from '../engine.ts';
import { DRIVE, folder, type GivenItem } from './testing/list-source.ts';
import { StoredBackup } from './testing/stored-backup.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());
const { signal } = new AbortController();

const file = (id: string, parentId: string | null, text: string): GivenItem => ({
  id,
  kind: 'file',
  parentId,
  name: `${id}.txt`,
  details: { tag: text },
  contents: { file: text },
});

const plans = folder('plans', 'folder', 'Plans');
const old = folder('old', 'folder', 'Old', undefined, 'plans');
const other = folder('other', 'folder', 'Other');

/** Two states: in `Plans` one file changes, one vanishes with its folder, one appears, one is moved out, one stays. */
async function twoStates() {
  const before = [
    plans,
    old,
    other,
    file('stays', 'plans', 'same'),
    file('changes', 'plans', 'first'),
    file('moves', 'plans', 'same'),
    file('vanishes', 'old', 'gone'),
    file('elsewhere', 'other', 'first'),
  ];
  const after = [
    plans,
    other,
    file('stays', 'plans', 'same'),
    file('changes', 'plans', 'second, longer'),
    file('moves', 'other', 'same'),
    file('appears', 'plans', 'new'),
    file('elsewhere', 'other', 'second'),
  ];
  const from = await stored.backUp(DRIVE, before);
  const to = await stored.backUp(DRIVE, after);
  return { object: to.object.key, from: from.revision, to: to.revision };
}

test('a folder is compared with all below it: what appeared, changed, was moved and vanished, each once with its path', async () => {
  const page = await compareRevisions(stored, { ...(await twoStates()), parentId: 'plans', limit: 100 }, signal);
  const shown = page.rows.map(({ what, version, path, otherPath }) => [what, version.id, path, otherPath]);
  expect(shown.toSorted((one, two) => String(one[1]).localeCompare(String(two[1])))).toEqual([
    ['appeared', 'appears', ['Plans'], null],
    ['changed', 'changes', ['Plans'], ['Plans']],
    ['changed', 'moves', ['Plans'], ['Other']],
    ['vanished', 'old', ['Plans'], null],
    ['vanished', 'vanishes', ['Plans', 'Old'], null],
  ]);
  const changed = page.rows.find(({ version }) => version.id === 'changes');
  expect([changed?.version.sizeBytes, changed?.other?.sizeBytes]).toEqual([14, 5]);
  expect(page.next).toBeNull();
});

test('the same a row at a time, of some kinds and changes alone, and of the whole drive', async () => {
  const states = await twoStates();
  const all: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const query = { ...states, parentId: null, limit: 1, ...(after === undefined ? {} : { after }) };
    const page: Awaited<ReturnType<typeof compareRevisions>> = await compareRevisions(stored, query, signal);
    all.push(...page.rows.map(({ what, version }) => `${what} ${version.id}`));
    after = page.next;
  }
  expect(all.toSorted()).toEqual([
    'appeared appears',
    'changed changes',
    'changed elsewhere',
    'changed moves',
    'vanished old',
    'vanished vanishes',
  ]);
  const vanished = { ...states, parentId: null, limit: 100, what: ['vanished'], kinds: ['file'] } as const;
  expect((await compareRevisions(stored, vanished, signal)).rows.map(({ version }) => version.id)).toEqual([
    'vanishes',
  ]);
  const reversed = {
    ...states,
    from: states.to,
    to: states.from,
    parentId: 'plans',
    limit: 100,
    what: ['appeared'],
  } as const;
  expect((await compareRevisions(stored, reversed, signal)).rows).toHaveLength(2);
  const cut = { ...states, parentId: null, limit: 1, after: 'x' };
  await expect(compareRevisions(stored, cut, signal)).rejects.toMatchObject({ code: 'bad-request' });
});

test('a digest names what a drive has: alike in another repository, and otherwise where an item was changed, renamed or moved', async () => {
  const items = [plans, other, file('one', 'plans', 'same'), file('two', 'plans', 'same')];
  const digestOf = async (
    { catalog }: StoredBackup,
    { object, revision }: Awaited<ReturnType<StoredBackup['backUp']>>,
  ) => (await catalog.digest(object.key, revision, ['file', 'folder'], signal)).digest;
  const first = await stored.backUp(DRIVE, items);
  const digests = [await digestOf(stored, first)];
  for (const last of [
    file('two', 'plans', 'otherwise'),
    { ...file('two', 'plans', 'same'), name: 'renamed.txt' },
    file('two', 'other', 'same'),
  ])
    digests.push(await digestOf(stored, await stored.backUp(DRIVE, [...items.slice(0, -1), last])));
  expect(new Set(digests).size).toBe(digests.length);
  expect(await digestOf(stored, first)).toBe(digests[0]);

  const elsewhere = await StoredBackup.create();
  try {
    const same = await elsewhere.backUp(DRIVE, items.toReversed());
    expect(same.object.key).not.toBe(first.object.key);
    expect(await digestOf(elsewhere, same)).toBe(digests[0]);
    const files = await elsewhere.catalog.digest(same.object.key, same.revision, ['file'], signal);
    expect(files.items).toBe(2);
    expect(files.digest).not.toBe(digests[0]);
  } finally {
    await elsewhere.close();
  }
});
