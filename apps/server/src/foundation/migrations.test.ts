import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../migrations/', import.meta.url);

async function journal(): Promise<{ idx: number; when: number; tag: string }[]> {
  return JSON.parse(await readFile(new URL('meta/_journal.json', FOLDER), 'utf8')).entries;
}

it('runs every migration after the ones before it: one whose instant is not later would be skipped without a word', async () => {
  const instants = (await journal()).map(({ when }) => when);
  expect(instants).toEqual([...new Set(instants)].sort((one, other) => one - other));
});

it('runs every file, by its name and in the order of its number', async () => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const entries = await journal();
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files);
  entries.forEach(({ idx, tag }, place) => {
    expect({ idx, number: tag.slice(0, 4) }).toEqual({ idx: place, number: String(place).padStart(4, '0') });
  });
});
