import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkPst } from './check.ts';
import type { RuleName } from './rules.ts';

/**
 * What Outlook itself wrote otherwise than the rules in this file of 2009. Each is named here with its reason, so that
 * no other rule can be stricter than Outlook without this test failing.
 */
const departures: Partial<Record<RuleName, string>> = {
  'allocation-leaked': 'freed blocks stay marked until the file is compacted',
  'heap-fill-level': 'the level of the second block of a grown heap was not brought up to date',
  'heap-free-count': 'empty values of recipient tables are allocations of no bytes, outside cFree',
  'heap-empty-value': 'the same allocations; the repair tool of today rejects them',
  'later-node': 'nodes that came with Outlook 2010',
  'names-bucket': 'names that are strings stand in the bucket of their offset, not of their checksum',
  'attachment-size': 'all sizes are greater by the same eleven bytes',
};

/** A file made by Outlook, with 71 messages and 70 attachments, that comes with the reader `pst-extractor`. */
function outlookFile(): string {
  const entry = fileURLToPath(import.meta.resolve('pst-extractor'));
  return join(entry.slice(0, entry.lastIndexOf('pst-extractor')), 'pst-extractor', 'example', 'testdata', 'enron.pst');
}

test('a file made by Outlook breaks only the rules it is known to depart from', async () => {
  const broken = new Set((await checkPst(outlookFile())).map(({ rule }) => rule));
  expect([...broken].toSorted()).toEqual(Object.keys(departures).toSorted());
});

test('in a file made by Outlook every attachment is greater than its values by the same number of bytes', async () => {
  const sizes = (await checkPst(outlookFile())).filter(({ rule }) => rule === 'attachment-size');
  const differences = sizes
    .map(({ message }) => message.match(/\d+/g)?.map(Number))
    .map((found) => (found?.[0] ?? 0) - (found?.[1] ?? 0));
  expect(new Set(differences)).toEqual(new Set([11]));
});

test('the program prints the findings with their sections and exits with 1', () => {
  expect(existsSync(outlookFile())).toBe(true);
  const run = spawnSync(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), outlookFile()], {
    encoding: 'utf8',
  });
  expect(run.status).toBe(1);
  expect(run.stdout).toContain('13984768 bytes, 125 nodes, 2274 blocks');
  expect(run.stdout).toMatch(/^attachment-size \[MS-PST 2\.4\.6\.2\.1.*\] node 0x200024 \/ node 0x8025: /m);
});

test('the program without a file explains itself and exits with 2', () => {
  const run = spawnSync(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], { encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([2, 'Usage: node main.ts file.pst\n']);
});
