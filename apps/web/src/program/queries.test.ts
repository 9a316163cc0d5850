import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { createQueries } from './queries.ts';

// Otherwise a portal in the local network would not be called while the internet is down, and a click would seem to do nothing.
test('reads and writes even if the browser reports that it is offline', async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const queries = createQueries();
  expect(await queries.fetchQuery({ queryKey: ['jobs'], queryFn: () => 'read' })).toBe('read');
  const write = new MutationObserver(queries, { mutationFn: async () => 'written' });
  expect(await write.mutate()).toBe('written');
});
