import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canListOpenFiles, openFilesIn } from '../testing/open-files-in.ts';
import { journalFile } from './journal-files.ts';
import { type DoneLine, openRestoreJournal } from './restore-journal.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-journal-'));
  path = join(folder, 'deep', 'restore.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

const outcome = (id: string, targetId: string) =>
  ({ id, kind: 'message', name: id, path: [], outcome: 'restored', targetId, bytes: 5, losses: [] }) as const;

async function reopened() {
  const finished: DoneLine[] = [];
  const journal = await openRestoreJournal(journalFile(path), 'one', (done) => finished.push(done));
  return { journal, finished };
}

test('What was begun and what is done is known again, also when many wrote at the same time', async () => {
  const { journal } = await reopened();
  await Promise.all(Array.from({ length: 50 }, (_, at) => journal.begin(`item ${at}`, [`before ${at}`])));
  await Promise.all(Array.from({ length: 49 }, (_, at) => journal.done(outcome(`item ${at}`, `target ${at}`))));
  await journal.close();
  const again = await reopened();
  expect(again.finished).toHaveLength(49);
  expect(again.journal.begun()).toEqual([['item 49', ['before 49']]]);
  expect(again.journal.isDone('item 7')).toBe(true);
  expect(again.journal.isDone('item 49')).toBe(false);
  expect(again.journal.claimed.size).toBe(49);
  await again.journal.close();
});

test('A torn last line counts for nothing, also when it ends within a character', async () => {
  const { journal } = await reopened();
  await journal.begin('item', []);
  await journal.close();
  await appendFile(path, Buffer.concat([Buffer.from('{"type":"done","item":"'), Buffer.from('é').subarray(0, 1)]));
  const again = await reopened();
  await again.journal.done(outcome('item', 'target'));
  await again.journal.close();
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toHaveLength(3);
  const last = await reopened();
  expect(last.journal.isDone('item')).toBe(true);
  await last.journal.close();
});

test('A journal of another restore, and one that is no journal, is refused', async () => {
  await (await reopened()).journal.close();
  await expect(openRestoreJournal(journalFile(path), 'other', () => undefined)).rejects.toMatchObject({
    code: 'bad-request',
  });
  await appendFile(path, 'nonsense\n');
  await expect(reopened()).rejects.toMatchObject({ code: 'damaged' });
});

test.runIf(canListOpenFiles)('A journal that is refused does not stay open', async () => {
  await (await reopened()).journal.close();
  await expect(openRestoreJournal(journalFile(path), 'other', () => undefined)).rejects.toMatchObject({
    code: 'bad-request',
  });
  expect(await openFilesIn(folder)).toBe(0);
});

test('What failed is tried again by the next attempt', async () => {
  const { journal } = await reopened();
  await journal.done({ ...outcome('item', ''), outcome: 'failed', reason: 'no' });
  await journal.close();
  const again = await reopened();
  expect(again.journal.isDone('item')).toBe(false);
  await again.journal.close();
});
