import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './folder.fixture.js';
import { withStartLock } from './start-lock.js';

test('lets the second start wait until the first one is done', async () => {
  const file = join(folderWith(), 'start.lock');
  const order = [];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers();
  const first = withStartLock(file, async () => {
    order.push('first begins');
    await mayEnd;
    order.push('first ends');
  });
  const second = withStartLock(file, async () => order.push('second begins'));
  await expect.poll(() => order).toEqual(['first begins']);
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins']);
});

test('takes over from a start that was killed', async () => {
  const folder = folderWith();
  const file = join(folder, 'start.lock');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(file, String(pid));
  expect(await withStartLock(file, async () => 'done')).toBe('done');
});

test('is free again after a failure', async () => {
  const file = join(folderWith(), '.node', 'start.lock');
  const failing = withStartLock(file, () => Promise.reject(new Error('no network')));
  await expect(failing).rejects.toThrow('no network');
  expect(existsSync(file)).toBe(false);
});
