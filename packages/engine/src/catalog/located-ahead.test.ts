import { expect, test } from 'vitest';
import type { ItemVersion } from '../model/items.ts';
import type { ChunkPlace } from '../repository/commit.ts';
import { locatedAhead, locatedIndex } from './located-ahead.ts';

const place: ChunkPlace = { pack: 'p', offset: 24, storedBytes: 20, plainBytes: 4, isCompressed: false };

function version(number: number): ItemVersion {
  const segments = [
    [`chunk-${number}`, 0, 4] as const,
    { base64: 76, end: 'crlf', of: [[`file-${number % 3}`, 0, 4] as const] } as const,
  ];
  return {
    id: `item-${number}`,
    kind: 'message',
    parentId: null,
    name: '',
    sizeBytes: 4,
    modifiedAt: null,
    details: {},
    contents: [{ name: 'mime', sizeBytes: 4, segments }],
    firstRevision: 1,
    lastRevision: null,
    endedAt: null,
  };
}

async function* versions(count: number): AsyncGenerator<ItemVersion> {
  for (let number = 0; number < count; number += 1) yield version(number);
}

test('asks for the chunks of 200 items at once, each chunk once, and gives the items in their order', async () => {
  const questions: number[] = [];
  const index = {
    locate: async (ids: readonly string[]) => {
      questions.push(ids.length);
      return new Map(ids.map((id) => [id, [place]] as const));
    },
  };
  const ids: string[] = [];
  for await (const { version: one, index: known } of locatedAhead(index, versions(450))) {
    ids.push(one.id);
    expect((await known.locate([`chunk-${ids.length - 1}`])).size).toBe(1);
  }
  expect(ids).toEqual(Array.from({ length: 450 }, (_, number) => `item-${number}`));
  expect(questions).toEqual([203, 203, 53]);
});

test('an unknown chunk stays unknown, and one that was not looked up ahead is asked for', async () => {
  const asked: string[][] = [];
  const index = {
    locate: async (ids: readonly string[]) => {
      asked.push([...ids]);
      return new Map(ids.filter((id) => id !== 'chunk-0').map((id) => [id, [place]] as const));
    },
  };
  for await (const { index: known } of locatedAhead(index, versions(1))) {
    const found = await known.locate(['chunk-0', 'file-0', 'another']);
    expect([...found.keys()]).toEqual(['file-0', 'another']);
  }
  expect(asked).toEqual([
    ['chunk-0', 'file-0'],
    ['chunk-0', 'another'],
  ]);
});

test('the chunks of any contents are looked up at once, for callers that read them side by side', async () => {
  const questions: number[] = [];
  const index = {
    locate: async (ids: readonly string[]) => {
      questions.push(ids.length);
      return new Map(ids.map((id) => [id, [place]] as const));
    },
  };
  const known = await locatedIndex(index, [...version(0).contents, ...version(1).contents]);
  const found = await Promise.all(['chunk-0', 'chunk-1', 'file-1'].map((id) => known.locate([id])));
  expect(found.map(({ size }) => size)).toEqual([1, 1, 1]);
  expect(questions).toEqual([4]);
});
