import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { createQueries } from './queries.ts';

// Otherwise a portal in the same house would not be asked while the line to the world is down, and a click would wait unseen.
test('reads and writes also where the browser takes itself to be offline', async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const queries = createQueries();
  expect(await queries.fetchQuery({ queryKey: ['jobs'], queryFn: () => 'read' })).toBe('read');
  const write = new MutationObserver(queries, { mutationFn: async () => 'written' });
  expect(await write.mutate()).toBe('written');
});
