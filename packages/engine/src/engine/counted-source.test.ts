import { expect, test } from 'vitest';
import type { Alert } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { Source } from '../source/source.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { CountedSource } from './counted-source.ts';

const never = new AbortController().signal;
const objects = ['a', 'b', 'c'].map((id) => new WrittenObject(id));

function listing(list: () => AsyncIterable<ProtectedObject | Alert>): Source {
  const source = new WrittenSource(...objects);
  return {
    organizationId: 'contoso',
    listObjects: list,
    read: (request) => source.read(request),
    close: async () => undefined,
  };
}

test('lists ahead: the total is known while the first object is still being read', async () => {
  const source = new CountedSource(new WrittenSource(...objects));
  expect(source.total).toBeNull();
  const found: unknown[] = [];
  for await (const object of source.listObjects(EVERYTHING, never)) {
    found.push(object);
    await new Promise((next) => setImmediate(next));
    expect(source.total).toBe(3);
  }
  expect(found).toEqual(objects.map(({ object }) => object));
});

test('gives what was listed before a failure, and then the failure', async () => {
  const source = new CountedSource(
    listing(async function* () {
      yield* objects.map(({ object }) => object);
      yield { code: 'gone', message: 'x' };
      throw new Error('broke off');
    }),
  );
  const found: unknown[] = [];
  const all = async () => {
    for await (const object of source.listObjects(EVERYTHING, never)) found.push(object);
  };
  await expect(all()).rejects.toThrow('broke off');
  expect(found).toHaveLength(4);
  expect(source.total).toBeNull();
});

test('stops listing when its reader leaves', async () => {
  let signal: AbortSignal | null = null;
  const source = new CountedSource({
    ...listing(async function* () {}),
    async *listObjects(_, given) {
      signal = given;
      yield* objects.map(({ object }) => object);
      await new Promise((end) => given.addEventListener('abort', end));
    },
  });
  for await (const _ of source.listObjects(EVERYTHING, never)) break;
  expect(signal).toMatchObject({ aborted: true });
});
