import { expect, test } from 'vitest';
import { gathered } from '../testing/gathered.ts';
import { sideBySide } from './side-by-side.ts';

async function* counting(name: string, count: number): AsyncGenerator<string> {
  for (let at = 0; at < count; at += 1) yield `${name}${at}`;
}

test('all that the generators give comes, of each in its own order', async () => {
  const values = await gathered(sideBySide([counting('a', 3), counting('b', 0), counting('c', 5)]));
  expect(values.filter((value) => value.startsWith('a'))).toEqual(['a0', 'a1', 'a2']);
  expect(values.filter((value) => value.startsWith('c'))).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  expect(values).toHaveLength(8);
});

test('one that waits delays none of the others', async () => {
  const gate = Promise.withResolvers<void>();
  async function* waiting(): AsyncGenerator<string> {
    await gate.promise;
    yield 'late';
  }
  const values: string[] = [];
  for await (const value of sideBySide([waiting(), counting('a', 2)])) {
    values.push(value);
    if (value === 'a1') gate.resolve();
  }
  expect(values).toEqual(['a0', 'a1', 'late']);
});

test('a generator runs no further ahead than one value', async () => {
  let asked = 0;
  async function* eager(): AsyncGenerator<number> {
    for (;;) {
      asked += 1;
      yield asked;
    }
  }
  const values = sideBySide([eager()]);
  await values.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBeLessThanOrEqual(2);
  await values.return(undefined);
});

test('a failure is thrown, and ends the others; so does who wants no more', async () => {
  const ended: string[] = [];
  async function* endless(name: string): AsyncGenerator<string> {
    try {
      for (;;) yield name;
    } finally {
      ended.push(name);
    }
  }
  async function* failing(): AsyncGenerator<string> {
    yield 'before';
    throw new Error('broken');
  }
  await expect(gathered(sideBySide([endless('one'), failing()]))).rejects.toThrow('broken');
  for await (const _ of sideBySide([endless('two'), endless('three')])) break;
  expect(ended).toEqual(['one', 'two', 'three']);
});
