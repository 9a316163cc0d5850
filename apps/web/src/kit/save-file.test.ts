import { expect, onTestFinished, test, vi } from 'vitest';
import { csvFileName, downloads, pickFile } from './save-file.ts';

const options = { name: 'Runs.csv', type: 'text/csv' };
const broken = new Error('The file broke off.');

/** A stream of these pieces, which then ends or fails. */
function streamOf(pieces: readonly string[], error?: Error) {
  const waiting = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = waiting.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (error !== undefined) controller.error(error);
      else controller.close();
    },
  });
}

/** The files that the browser is given to download. */
function watchDownloads() {
  const offered: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) offered.push(file);
    return 'blob:test';
  });
  return offered;
}

/** A browser in which the person picks this file, or whatever `pick` does. */
function withPicker(pick?: () => never) {
  const disk = { text: '', isThere: true };
  const remove = async () => {
    disk.isThere = false;
  };
  const createWritable = async () => {
    let written = '';
    const decoder = new TextDecoder();
    return new WritableStream<Uint8Array>({
      write(piece) {
        written += decoder.decode(piece, { stream: true });
      },
      close() {
        disk.text = written;
      },
    });
  };
  const file = { name: 'Mine.csv', createWritable, remove };
  Object.assign(window, { showSaveFilePicker: async () => pick?.() ?? file });
  onTestFinished(() => {
    delete window.showSaveFilePicker;
  });
  return disk;
}

test('names an export with a timestamp by the clocks of the zone', () => {
  const at = new Date('2026-01-31T14:05:09.123Z');
  expect(csvFileName('DailyChecks', 'UTC', at)).toBe('DailyChecks-20260131-140509.csv');
  expect(csvFileName('DailyChecks', 'Asia/Kathmandu', at)).toBe('DailyChecks-20260131-195009.csv');
});

test('a download is offered once, whole, however many pieces it came in', async () => {
  const offered = watchDownloads();
  const long = 'x'.repeat(700_000);
  await downloads(options).save(async () => streamOf(['a', long, long, 'b']));
  expect(offered).toHaveLength(1);
  expect(await offered[0]?.text()).toBe(`a${long}${long}b`);
  expect(offered[0]?.type).toBe('text/csv');
});

test('a download that fails midway is not offered, and its failure is thrown as it is', async () => {
  const offered = watchDownloads();
  await expect(downloads(options).save(async () => streamOf(['a'], broken))).rejects.toBe(broken);
  expect(offered).toEqual([]);
});

test('a large file goes into the file that the person picked, under the name it has there', async () => {
  const offered = watchDownloads();
  const disk = withPicker();
  const target = await pickFile(options);
  await target?.save(async () => streamOf(['a', 'b']));
  expect(target?.name).toBe('Mine.csv');
  expect(disk).toEqual({ text: 'ab', isThere: true });
  expect(offered).toEqual([]);
});

test.each([
  ['the stream fails midway', async () => streamOf(['a'], broken)],
  ['the server refuses', () => Promise.reject(broken)],
])('of a picked file nothing is left where %s', async (_, open) => {
  const disk = withPicker();
  const target = await pickFile(options);
  await expect(target?.save(open)).rejects.toBe(broken);
  expect(disk).toEqual({ text: '', isThere: false });
});

test('a person who picks no file gets none', async () => {
  withPicker(() => {
    throw new DOMException('The user aborted a request.', 'AbortError');
  });
  expect(await pickFile(options)).toBeNull();
});

test.each([
  ['has no picker', () => {}],
  [
    'forbids it',
    () =>
      withPicker(() => {
        throw new DOMException('Not allowed here.', 'SecurityError');
      }),
  ],
])('a browser that %s downloads instead', async (_, set) => {
  set();
  const offered = watchDownloads();
  await (await pickFile(options))?.save(async () => streamOf(['a']));
  expect(offered).toHaveLength(1);
});
