import { beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { WrittenObject } from '../testing/written-source.ts';
import { backUpBeside } from './testing/back-up-beside.ts';
import { CommandLine } from './testing/command-line.ts';

let commandLine: CommandLine;
let database: TestDatabase;
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  database = await createTestDatabase();
  commandLine = await CommandLine.open({ DATABASE_URL: database.url });
  await commandLine.makeRepository();
  return async () => {
    await commandLine.close();
    await database.drop();
  };
});

/** A verify of this process that has begun to read all packs of the catalog, and goes on when `end` is called. */
async function verifyUnderWay(): Promise<{ end(): Promise<unknown> }> {
  const drive = new WrittenObject('ada', 'drive');
  drive.put('a', { kind: 'file', name: 'a', parentId: null, contents: { file: Buffer.from('a') } });
  const { catalog } = await backUpBeside(commandLine, database.url, drive);
  const pass = catalog.listPacks()[Symbol.asyncIterator]();
  await pass.next();
  return { end: () => pass.return?.() ?? Promise.resolve() };
}

/** The objects of the catalog, without the end of the list, which says how long it took. */
const listedObjects = async () => (await commandLine.run(['objects', '--json'])).out.trim().split('\n').slice(0, -1);

test('a rebuild says for whom it waits and that it may be stopped, and when it is stopped that nothing of it is stored', async () => {
  const verify = await verifyUnderWay();
  const before = await listedObjects();
  const started = commandLine.start(['rebuild', '--json']);
  const waiting = await started.line(/"type":"wait"/);
  expect(JSON.parse(waiting)).toMatchObject({
    until: 'passes',
    holders: [expect.stringContaining(`process ${process.pid} on `)],
    message: expect.stringMatching(/^Waiting for a verify or prune .*Ctrl-C is safe/),
  });
  started.signal('SIGINT');
  const { exitCode, lines } = await started.ended;
  expect(exitCode).toBe(130);
  const said = lines.filter(({ code }) => code === 'stopping' || code === 'stopped').map(({ message }) => message);
  expect(said).toHaveLength(2);
  for (const message of said) expect(message).toMatch(/not whole yet is dropped, and the one before it stays/);
  await verify.end();
  expect(await listedObjects()).toEqual(before);
});

test('at a terminal it says the same, and the rebuild goes on when the verify has ended', async () => {
  const verify = await verifyUnderWay();
  const started = commandLine.start(['rebuild']);
  expect(await started.line(/^Waiting for a verify or prune/)).toContain('Ctrl-C is safe');
  await verify.end();
  expect(await started.ended).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^The catalog was rebuilt/) });
});
