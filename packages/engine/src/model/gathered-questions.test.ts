import { expect, test } from 'vitest';
import { GatheredQuestions } from './gathered-questions.ts';

test('what is asked in one moment, or while a question is in flight, is one question, each id once', async () => {
  const asked: string[][] = [];
  let answer: () => void = () => undefined;
  const questions = new GatheredQuestions(async (ids) => {
    asked.push([...ids]);
    if (asked.length === 1) await new Promise<void>((resolve) => (answer = resolve));
    return new Map(ids.filter((id) => id !== 'unknown').map((id) => [id, `${id}!`]));
  }, 100);
  const first = Promise.all([questions.ask('a'), questions.ask('b'), questions.ask('a')]);
  await expect.poll(() => asked.length).toBe(1);
  const second = Promise.all([questions.ask('c'), questions.ask('unknown')]);
  expect(questions.isAsking).toBe(true);
  answer();
  expect(await first).toEqual(['a!', 'b!', 'a!']);
  expect(await second).toEqual(['c!', undefined]);
  expect(asked).toEqual([
    ['a', 'b'],
    ['c', 'unknown'],
  ]);
});

test('no question is larger than allowed, one that fails rejects all its callers, and the next is asked all the same', async () => {
  let rounds = 0;
  const ended: number[] = [];
  const questions = new GatheredQuestions(
    async (ids) => {
      rounds += 1;
      if (rounds === 1) throw new Error('away');
      return new Map(ids.map((id) => [id, rounds]));
    },
    2,
    () => ended.push(rounds),
  );
  const answers = await Promise.allSettled(['a', 'b', 'c'].map((id) => questions.ask(id)));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await questions.ask('d')).toBe(3);
  await expect.poll(() => ended).toEqual([1, 2, 3]);
});
