import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { NODE_FLAGS } from '../../bin/node-flags.js';
import { testFolder, useDatabase } from '../testing/test-parts.ts';

const database = useDatabase();
const PROGRAM = join(import.meta.dirname, '../testing/many-at-once.fixture.ts');
const ORGANIZATIONS = tries(5, 8);
/** Of eight at once, as the README says, and what each of them adds. */
const [EIGHT, BYTES_EACH] = [8, 40e6];
const FEWER_BYTES = (EIGHT - ORGANIZATIONS) * BYTES_EACH;
/** The limits bound the buffers; the allocator of the system adds what it has not given back yet, more on a busy machine. */
const BUFFER_BYTES_MAX = 750e6 - FEWER_BYTES;
const PEAK_BYTES_MAX = 1.2e9 - FEWER_BYTES;

interface Reported {
  ends: { at: number; ms: number; outcome: string }[];
  bufferBytes: number;
  peakBytes: number;
  bytes: number;
}

/** Backs up organizations in one process of their own, and downloads all of them. */
async function run(organizations: number, stuck: '' | 'stuck'): Promise<Reported> {
  const given = [PROGRAM, await testFolder(), database.url(), String(organizations), stuck];
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_FLAGS, ...given], { timeout: 120_000 });
  return JSON.parse(stdout);
}

test(`${ORGANIZATIONS} backups of large items at once, and ${2 * ORGANIZATIONS} downloads, stay below the bound, and end about together`, async () => {
  const { ends, bufferBytes, peakBytes, bytes } = await run(ORGANIZATIONS, '');
  expect(ends.map(({ outcome }) => outcome)).toEqual(ends.map(() => 'Success'));
  expect(bytes).toBeGreaterThan(ORGANIZATIONS * 200e6);
  expect(bufferBytes).toBeLessThan(BUFFER_BYTES_MAX);
  expect(peakBytes).toBeLessThan(PEAK_BYTES_MAX);
  // Equal work is done in equal time: none waits until the others are done.
  const times = ends.map(({ ms }) => ms);
  expect(Math.min(...times)).toBeGreaterThan(Math.max(...times) / 3);
});

test('a run whose store is stuck stops none of the others', async () => {
  const { ends } = await run(3, 'stuck');
  expect(ends.map(({ outcome }) => outcome)).toEqual(['Success', 'Success', 'Success']);
  expect(ends.at(-1)?.at).toBe(0);
});
