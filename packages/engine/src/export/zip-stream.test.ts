import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSoak } from '../../../../tools/soak.ts';
import { isInstalled } from '../testing/is-installed.ts';
import { BLOCK_HEAD_BYTES } from './zip-format.ts';
import { type StreamedEntry, ZipLength, zipStream } from './zip-stream.ts';

const run = promisify(execFile);
const hasUnzip = isInstalled('unzip', 'unzip');
const hasPython = isInstalled('python3', 'python3');
const [MIB, FOUR_GIB] = [1024 ** 2, 4 * 1024 ** 3];

let path: string;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-zip-'));
  path = join(folder, 'streamed.zip');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ZEROS = Buffer.alloc(MIB);

/** @param sizeBytes of zeros; a text is itself */
function entry(name: string, content: string | Buffer | number | null): StreamedEntry {
  const sizeBytes = content === null ? null : typeof content === 'number' ? content : Buffer.byteLength(content);
  return {
    name,
    modifiedAt: new Date('2026-11-20T10:20:30Z'),
    sizeBytes,
    async *open() {
      if (typeof content !== 'number') yield Buffer.from(content ?? '');
      else for (let left = content; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left);
    },
  };
}

/** Writes what is streamed, with holes for zeros, and compares its length with the one that was announced. */
async function written(entries: readonly StreamedEntry[]): Promise<void> {
  const length = new ZipLength();
  for (const one of entries) length.add(one);
  await using file = await open(path, 'w');
  let at = 0;
  for await (const piece of zipStream(given(entries), length.digest)) {
    const isHollow =
      piece.length > 4_096 && piece.subarray(BLOCK_HEAD_BYTES).equals(ZEROS.subarray(0, piece.length - 5));
    await file.write(isHollow ? piece.subarray(0, BLOCK_HEAD_BYTES) : piece, 0, null, at);
    at += piece.length;
  }
  await file.truncate(at);
  expect(at).toBe(length.sizeBytes);
}

async function* given<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** What a reader that knows nothing of us finds. */
async function foundByPython(): Promise<{ entries: number; sizes: number[]; last: string; date: number[] }> {
  const script = `import sys,zipfile,json
z=zipfile.ZipFile(sys.argv[1]); i=z.infolist()
print(json.dumps({"entries":len(i),"sizes":[e.file_size for e in i][:8],"last":z.read(i[-1]).decode(),"date":list(i[-1].date_time)}))`;
  return JSON.parse((await run('python3', ['-c', script, path])).stdout);
}

const SIZES = [0, 1, 65_534, 65_535, 65_536, 131_070, 131_071, 3 * MIB];

test.runIf(hasUnzip && hasPython)(
  'has the announced length, and every reader finds every byte, at the edges of a block too',
  async () => {
    const files = SIZES.map((size) => entry(`Ärger/${size} \u{1f642}.bin`, Buffer.alloc(size, `${size}`)));
    await written([entry('Ärger/', null), ...files, entry('last.txt', 'last')]);
    expect((await run('unzip', ['-tqq', path])).stdout).toBe('');
    expect(await foundByPython()).toEqual({
      entries: SIZES.length + 2,
      sizes: [0, ...SIZES].slice(0, 8),
      last: 'last',
      date: [2026, 11, 20, 10, 20, 30],
    });
  },
);

test.runIf(hasUnzip && hasPython)(
  'has more than 65,535 entries',
  async () => {
    await written([
      ...Array.from({ length: 65_540 }, (_, at) => entry(`folder-${at}/`, null)),
      entry('last.txt', 'last'),
    ]);
    expect(await foundByPython()).toMatchObject({ entries: 65_541, last: 'last' });
    expect((await run('unzip', ['-tqq', path], { maxBuffer: 1 << 26 })).stdout).toBe('');
  },
  120_000,
);

if (!isSoak()) console.warn('SKIPPED: files of more than 4 GiB in a ZIP; `npm run soak` tries them.');

test.runIf(hasPython && isSoak())(
  'has files of more than 4 GiB, and what comes behind them is found (in the soak alone)',
  async () => {
    await written([entry('zeros.bin', FOUR_GIB + 1), entry('last.txt', 'last')]);
    expect(await foundByPython()).toMatchObject({ entries: 2, sizes: [FOUR_GIB + 1, 4], last: 'last' });
    if (process.env['KEEPWATCH_LARGE_ZIP'] === undefined)
      console.warn('SKIPPED: unzip does not read the 4 GiB; KEEPWATCH_LARGE_ZIP=1 has it do so.');
    else if (hasUnzip) expect((await run('unzip', ['-tqq', path])).stdout).toBe('');
  },
  300_000,
);

test('breaks off where an entry has fewer or more bytes than it announced', async () => {
  for (const sizeBytes of [3, 5, 0])
    await expect(drained(zipStream(given([{ ...entry('a.txt', 'four'), sizeBytes }]), ''))).rejects.toThrow(
      /'a.txt' has other/,
    );
});

test('breaks off before its end where the entries are others than those that were announced', async () => {
  const announced = [entry('a.txt', 'four'), { ...entry('b.txt', 'five'), version: 'b 1' }];
  const length = new ZipLength();
  for (const one of announced) length.add(one);
  await drained(zipStream(given(announced), length.digest));
  const others = [announced.slice(0, 1), announced.toReversed(), [announced[0], { ...announced[1], version: 'b 2' }]];
  for (const now of others)
    await expect(drained(zipStream(given(now as StreamedEntry[]), length.digest))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('has changed since it was prepared'),
    });
});

async function drained(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}
