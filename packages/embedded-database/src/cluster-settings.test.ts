import { expect, test } from 'vitest';
import { availableMemoryBytes, clusterSettings, settingArguments } from './cluster-settings.ts';

const GIBIBYTE = 1024 ** 3;
const conditions = {
  memoryBytes: 4 * GIBIBYTE,
  databaseBytes: 0,
  port: 5432,
  durable: true,
  clusterName: 'keepwatch-test',
};

test.each([
  [0.5, '128MB'],
  [4, '512MB'],
  [64, '1024MB'],
])('gives PostgreSQL an eighth of %d GiB within bounds: %s', (gibibytes, expected) => {
  const settings = clusterSettings({ ...conditions, memoryBytes: gibibytes * GIBIBYTE });
  expect(settings.shared_buffers).toBe(expected);
});

test.each([
  [0, '80MB', '32MB'],
  [4, '512MB', '128MB'],
  [100, '2048MB', '256MB'],
])('lets the write-ahead log of %d GiB grow to %s and keeps %s of it', (gibibytes, most, least) => {
  const settings = clusterSettings({ ...conditions, databaseBytes: gibibytes * GIBIBYTE });
  expect(settings).toMatchObject({ max_wal_size: most, min_wal_size: least });
});

test('listens on this machine only', () => {
  expect(clusterSettings(conditions)).toMatchObject({ listen_addresses: '127.0.0.1', unix_socket_directories: '' });
});

test('leaves every safety on unless it is for tests', () => {
  expect(clusterSettings(conditions)).not.toHaveProperty('fsync');
  expect(clusterSettings({ ...conditions, durable: false })).toMatchObject({ fsync: 'off', full_page_writes: 'off' });
});

test('becomes arguments of the command line', () => {
  expect(settingArguments({ port: '1', jit: 'off' })).toEqual(['-c', 'port=1', '-c', 'jit=off']);
});

test('counts on no more memory than the machine or the container has', () => {
  expect(availableMemoryBytes()).toBeGreaterThan(0);
  expect(availableMemoryBytes()).toBeLessThan(2 ** 50);
});
