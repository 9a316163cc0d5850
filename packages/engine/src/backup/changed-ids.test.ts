import { expect, test } from 'vitest';
import { ChangedIds } from './changed-ids.ts';

test('an id that was added is always found, and of others no more than one in ten when there are a million', () => {
  const ids = new ChangedIds();
  const added = (at: number) => `AAMkADk${at}NjUtYWE0OC00`;
  for (let at = 0; at < 1_000_000; at += 1) ids.add(added(at));
  let missed = 0;
  for (let at = 0; at < 1_000_000; at += 1) if (!ids.mayHave(added(at))) missed += 1;
  let others = 0;
  for (let at = 0; at < 100_000; at += 1) if (ids.mayHave(`AAMkADk${at}NjUtYWE0OC01`)) others += 1;
  expect(missed).toBe(0);
  expect(others).toBeLessThan(10_000);
});

test('knows nothing before something was added', () => {
  const ids = new ChangedIds();
  expect(['', 'a', 'AAMkADk'].map((id) => ids.mayHave(id))).toEqual([false, false, false]);
});
