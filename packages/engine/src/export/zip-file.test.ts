import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/test-parts.ts';
import { writeZip, type ZipFile } from './zip-file.ts';

const { signal } = new AbortController();

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

async function written(fill: (zip: ZipFile) => Promise<void>, until = signal) {
  const folder = await testFolder();
  const error = await writeZip(join(folder, 'a.zip'), until, fill).catch((reason: unknown) => reason);
  return { error, left: await readdir(folder) };
}

test.each(['../up.txt', '/root.txt', 'a/../../b.txt', 'C:/x.txt', '..', '../'])(
  'an archive accepts no entry called %s, and there is none then',
  async (name) => {
    const { error, left } = await written((zip) => zip.addFile(name, null, 1, () => bytesOf('x')));
    expect(error).toBeInstanceOf(Error);
    expect(left).toEqual([]);
  },
);

test('an archive has its name when it is whole, and leaves nothing when filling it fails or is stopped', async () => {
  const whole = await written((zip) => zip.addFile('a/b.txt', null, 1, () => bytesOf('x')));
  expect(whole).toEqual({ error: undefined, left: ['a.zip'] });
  const failing = await written(async (zip) => {
    await zip.addFile('a.txt', null, 1, () => bytesOf('x'));
    throw new Error('The next cannot be read.');
  });
  expect(failing).toMatchObject({ error: { message: 'The next cannot be read.' }, left: [] });
  const stop = new AbortController();
  const stopped = await written(async (zip) => {
    stop.abort(new Error('Stopped.'));
    await zip.addFile('a.txt', null, 1, () => bytesOf('x'));
  }, stop.signal);
  expect(stopped).toMatchObject({ error: { message: 'Stopped.' }, left: [] });
});

test('an entry whose bytes cannot be read leaves the archive unharmed', async () => {
  const broken = async function* () {
    yield Buffer.from('half');
    throw new Error('Damaged.');
  };
  const large = 9 * 2 ** 20;
  const { error, left } = await written(async (zip) => {
    for (const size of [4, large])
      await expect(zip.addFile('torn.bin', null, size, broken)).rejects.toThrow('Damaged.');
    await zip.addFile('whole.txt', null, 1, () => bytesOf('x'));
  });
  expect([error, left]).toEqual([undefined, ['a.zip']]);
});
