import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkPst } from './check.ts';
import type { RuleName } from './rules.ts';

/**
 * What the maker of the real file did otherwise than the rules ask: a store of 2009 from the Enron collection, which
 * Outlook opens. Each departure is named with what was found, so that no other rule can become stricter than such a
 * file without this test failing.
 */
const departures: Partial<Record<RuleName, string>> = {
  'allocation-leaked': 'blocks that were freed are still marked as allocated',
  'heap-fill-level': 'the last block of a heap of two has the level of an empty one',
  'heap-free-count': 'empty values of recipient tables are allocations of no bytes, outside cFree',
  'heap-empty-value': 'the same allocations; the repair tool of today rejects them',
  'later-node': 'the file is older than these nodes',
  'names-bucket': 'names that are strings are in the bucket of their offset, not of their checksum',
  'attachment-size': 'all sizes are greater by the same eleven bytes',
};

/** For the programs started on a busy machine, in milliseconds. */
const patience = 60_000;

/** The real file, with 71 messages and 70 attachments, comes with the reader `pst-extractor`. */
function realFile(): string {
  const entry = fileURLToPath(import.meta.resolve('pst-extractor'));
  return join(entry.slice(0, entry.lastIndexOf('pst-extractor')), 'pst-extractor', 'example', 'testdata', 'enron.pst');
}

test(
  'a real file breaks only the rules it is known to depart from',
  async () => {
    const broken = new Set((await checkPst(realFile())).map(({ rule }) => rule));
    expect([...broken].toSorted()).toEqual(Object.keys(departures).toSorted());
  },
  patience,
);

test(
  'in a real file every attachment is greater than its values by the same number of bytes',
  async () => {
    const sizes = (await checkPst(realFile())).filter(({ rule }) => rule === 'attachment-size');
    const differences = sizes
      .map(({ message }) => message.match(/\d+/g)?.map(Number))
      .map((found) => (found?.[0] ?? 0) - (found?.[1] ?? 0));
    expect(new Set(differences)).toEqual(new Set([11]));
  },
  patience,
);

test(
  'the program prints the findings with their sections and exits with 1',
  () => {
    expect(existsSync(realFile())).toBe(true);
    const run = spawnSync(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), realFile()], {
      encoding: 'utf8',
    });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain('13984768 bytes, 125 nodes, 2274 blocks');
    expect(run.stdout).toMatch(/^attachment-size \[MS-PST 2\.4\.6\.2\.1.*\] node 0x200024 \/ node 0x8025: /m);
  },
  patience,
);

test(
  'the program without a file explains itself and exits with 2',
  () => {
    const run = spawnSync(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([2, 'Usage: node main.ts file.pst\n']);
  },
  patience,
);
