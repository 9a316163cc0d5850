import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { restoreJournalsSuite } from '../suites/restore-journals.suite.ts';
import { journalFolder } from './journal-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-journals-'));
});
afterAll(() => rm(folder, { recursive: true }));

restoreJournalsSuite('files', async () => journalFolder(join(folder, 'restores')));
