import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { WrittenObject } from '../testing/written-source.ts';
import { backUpBeside } from './testing/back-up-beside.ts';
import { CommandLine } from './testing/command-line.ts';

let commandLine: CommandLine;
let other: TestDatabase;
const drive = new WrittenObject('ada', 'drive');
const runs: string[] = [];
vi.setConfig({ testTimeout: 120_000 });

/** The command line has a catalog that hears of nothing, as a second machine has that is asked when the first one is gone. */
beforeAll(async () => {
  const database = await createTestDatabase();
  other = await createTestDatabase();
  commandLine = await CommandLine.open({ DATABASE_URL: database.url });
  await commandLine.makeRepository();
  return async () => {
    await commandLine.close();
    await database.drop();
    await other.drop();
  };
});

/** A backup of the first machine. */
async function backUpThere(name: string): Promise<void> {
  drive.put(name, { kind: 'file', name, parentId: null, contents: { file: Buffer.from(name) } });
  runs.push((await backUpBeside(commandLine, other.url, drive)).run);
}

const exportDrive = () =>
  commandLine.run(['export', '--object', 'drive/ada', '--to', join(commandLine.folder, 'ada.zip'), '--json']);
const itemsOf = (lines: Record<string, unknown>[]) => lines.find(({ type }) => type === 'result')?.['items'];

test('what another machine backed up is exported at once, and shown when asked for', async () => {
  await backUpThere('first');
  expect((await commandLine.run(['objects'])).problems).toMatch(/The catalog has no restore point/);
  const shown = await commandLine.run(['objects', '--catch-up', '--json']);
  expect(shown).toMatchObject({ exitCode: 0, problems: '' });
  expect(shown.lines.find(({ type }) => type === 'row')).toMatchObject({ name: 'Object ada', revision: 1 });
  await backUpThere('second');
  const { exitCode, lines } = await exportDrive();
  expect([exitCode, itemsOf(lines)]).toEqual([0, 2]);
});

test('where journals are lost an export is of what the catalog knows, and says that there was more', async () => {
  await backUpThere('third');
  await backUpThere('fourth');
  await rm(join(commandLine.repository, 'journals', runs[2] ?? ''), { recursive: true });
  const { exitCode, lines } = await exportDrive();
  expect([exitCode, itemsOf(lines)]).toEqual([3, 2]);
  const [problem] = lines.filter(({ type }) => type === 'problem');
  expect(problem).toMatchObject({
    code: 'behind',
    message: expect.stringMatching(/from a copy.*may not be the newest/),
  });
});
