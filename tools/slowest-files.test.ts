import { expect, it } from 'vitest';
import { slowestFiles } from './slowest-files.ts';

it('shows the twenty slowest, slowest first, and no quick ones', () => {
  const files = Array.from({ length: 30 }, (_, index) => ({ path: `${index}.test.ts`, seconds: index }));
  const [heading, first, ...others] = slowestFiles(files);
  expect(heading).toContain('slowest');
  expect(first).toBe('   29  29.test.ts');
  expect(others).toHaveLength(19);
  expect(slowestFiles(files.slice(0, 5))).toEqual([]);
});
