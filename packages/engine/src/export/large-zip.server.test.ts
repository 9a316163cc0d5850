import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeZip, type ZipFile } from './zip-file.ts';

const LARGE = process.env['KEEPWATCH_LARGE_ZIP'] !== undefined;
if (!LARGE)
  console.warn('SKIPPED: a ZIP of more than 4 GiB takes 9 GB of disk and minutes: KEEPWATCH_LARGE_ZIP=1 runs it.');

const FOUR_GIB = 4 * 1024 ** 3;
const ENTRIES = 65_536 + 10;
const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-zip-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function written(fill: (zip: ZipFile) => Promise<void>): Promise<string> {
  const path = join(folder, 'large.zip');
  await writeZip(path, new AbortController().signal, fill);
  return path;
}

function bytes(text: string) {
  return async function* whole() {
    yield Buffer.from(text);
  };
}

function zeros(sizeBytes: number) {
  const block = Buffer.alloc(1024 ** 2);
  return async function* all() {
    for (let left = sizeBytes; left > 0; left -= block.length) yield block.subarray(0, left);
  };
}

const hasProgram = (name: string, ...args: string[]) => {
  try {
    execFileSync(name, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Programs that know nothing of us test all of an archive; at least one has to be there. */
async function summaryOf(path: string): Promise<{ entries: number; largest: number; last: string }> {
  if (hasProgram('unzip', '-v')) {
    const { stdout } = await run('unzip', ['-tqq', path], { maxBuffer: 1 << 26 });
    expect(stdout).toBe('');
  } else console.warn('SKIPPED: unzip does not test the archive, it is not installed.');
  const script = `import sys,zipfile,json
z=zipfile.ZipFile(sys.argv[1]); i=z.infolist()
print(json.dumps({"entries":len(i),"largest":max(e.file_size for e in i),"last":z.read(i[-1]).decode()}))`;
  const { stdout } = await run('python3', ['-c', script, path]);
  return JSON.parse(stdout);
}

test('a ZIP has more than 65,535 entries, and every program finds them all', async () => {
  const path = await written(async (zip) => {
    for (let at = 1; at < ENTRIES; at += 1) await zip.addFolder(`folder-${at}`, null);
    await zip.addFile('last.txt', null, 4, bytes('last'));
  });
  expect(await summaryOf(path)).toEqual({ entries: ENTRIES, largest: 4, last: 'last' });
}, 180_000);

test.runIf(LARGE)(
  'a ZIP has files of more than 4 GiB, compressed and not, and what comes behind them is found',
  async () => {
    const path = await written(async (zip) => {
      await zip.addFile('zeros.txt', null, FOUR_GIB + 1, zeros(FOUR_GIB + 1));
      await zip.addFile('zeros.mp4', null, null, zeros(FOUR_GIB + 2));
      await zip.addFile('last.txt', null, 4, bytes('last'));
    });
    expect(await summaryOf(path)).toEqual({ entries: 3, largest: FOUR_GIB + 2, last: 'last' });
  },
  900_000,
);
