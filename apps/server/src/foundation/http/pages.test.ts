import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestPortal } from '../../testing/test-portal.ts';
import { addPages } from './pages.ts';

it('serves the files of the browser application to an office behind one address, however many calls it makes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>Portal</title>');
  await writeFile(join(folder, 'assets', 'main-1a2b.js'), 'export {};');
  const portal = await startTestPortal((server) => addPages(server, folder), { requestsPerMinute: 5 });
  const statusOf = async (path: string) => (await fetch(`${portal.url}${path}`)).status;
  const calls: number[] = [];
  for (let call = 0; call < 8; call += 1) calls.push(await statusOf('/api/monitoring/none'));
  expect(calls).toContain(429);
  for (let file = 0; file < 20; file += 1) expect(await statusOf('/assets/main-1a2b.js')).toBe(200);
  expect(await statusOf('/login')).toBe(200);
  await portal.stop();
  await rm(folder, { recursive: true });
});
