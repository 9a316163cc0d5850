import { readFile, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder.ts';
import { FIRST_SECTION_POSITION, SECTION_BYTES } from './allocation-map.ts';
import { PartFile } from './part-file.ts';

const MAP_PAGES = 1_024; // the first section begins with an allocation map and a page map

it('allocates space in file order, and none across the end of a section', async () => {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  const positions = Array.from({ length: 64 }, () => file.allocate(8_192, 64).position);
  await file.discard();
  expect(positions[0]).toBe(FIRST_SECTION_POSITION + MAP_PAGES);
  positions.forEach((position, index) => {
    const inSection = (position - FIRST_SECTION_POSITION) % SECTION_BYTES;
    expect(inSection + 8_192).toBeLessThanOrEqual(SECTION_BYTES);
    expect(position).toBeGreaterThanOrEqual((positions[index - 1] ?? 0) + (index > 0 ? 8_192 : 0));
  });
});

it('aligns pages, and counts what is left before them as free', async () => {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  file.allocate(64, 64);
  const { position } = file.allocate(512, 512);
  expect((position - FIRST_SECTION_POSITION) % 512).toBe(0);
  const { freeBytes, endPosition } = await file.finish();
  await file.close(Buffer.alloc(FIRST_SECTION_POSITION));
  expect(endPosition).toBe(FIRST_SECTION_POSITION + SECTION_BYTES);
  expect(freeBytes).toBe(SECTION_BYTES - MAP_PAGES - 64 - 512);
});

it('writes what was put into the memory at its place', async () => {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  const placed = Array.from({ length: 1_000 }, (_, index) => {
    const { buffer, view, start, position } = file.allocate(4_096, 64);
    buffer.fill(index % 251, start, start + 4_096);
    view.setUint16(start, index, true);
    return position;
  });
  await file.finish();
  await file.close(Buffer.alloc(FIRST_SECTION_POSITION));
  const bytes = await readFile(scratch.file('a'));
  expect(placed.map((position) => bytes.readUInt16LE(position))).toEqual(placed.map((_, index) => index));
  expect(placed.map((position) => bytes[position + 4_095])).toEqual(placed.map((_, index) => index % 251));
});

it('does not overwrite a file, and leaves none after it is discarded', async () => {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  await expect(PartFile.create(scratch.file('a'))).rejects.toThrow('EEXIST');
  await file.discard();
  await expect(readFile(scratch.file('a'))).rejects.toThrow('ENOENT');
});

it('lets its owner alone read the file: it is the mail of a person', async () => {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  expect((await stat(scratch.file('a'))).mode & 0o777).toBe(0o600);
  await file.discard();
});
