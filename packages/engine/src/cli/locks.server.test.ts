import { beforeAll, expect, test } from 'vitest';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { PASSWORD } from '../testing/test-parts.ts';
import { CommandLine } from './testing/command-line.ts';

let commandLine: CommandLine;

beforeAll(async () => {
  const database = await createTestDatabase();
  commandLine = await CommandLine.open({ DATABASE_URL: database.url });
  return async () => {
    await commandLine.close();
    await database.drop();
  };
});

const run = (...args: string[]) => commandLine.run(args);

test('who works in the repository is named by program, machine and process, by the list and by a prune that does not wait', async () => {
  await commandLine.makeRepository();
  expect((await run('locks')).out).toBe('No process is working in the repository.\n');
  const store = await openFolderStore(commandLine.repository);
  const repository = await openRepository(store, PASSWORD, { program: 'nightly' });
  const lock = await repository.lock('shared');
  const [holder] = (await run('locks', '--json')).lines;
  expect(holder).toMatchObject({ type: 'row', work: 'writes', program: 'nightly', process: process.pid });
  const pruned = await run('prune', '--keep-days', '0', '--wait', '0');
  expect(pruned).toMatchObject({
    exitCode: 1,
    problems: expect.stringMatching(`nightly on .* \\(process ${process.pid}\\) is backing up`),
  });
  expect(pruned.problems).toMatch(/its lock falls at 20\d\d-/);
  await lock.release();
  expect((await run('prune', '--keep-days', '0')).exitCode).toBe(0);
  await repository.close();
});
