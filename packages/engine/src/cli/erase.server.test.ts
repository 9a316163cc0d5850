import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { WrittenObject } from '../testing/written-source.ts';
import { backUpBeside } from './testing/back-up-beside.ts';
import { CommandLine } from './testing/command-line.ts';

let commandLine: CommandLine;
let databaseUrl = '';

beforeAll(async () => {
  const database = await createTestDatabase();
  databaseUrl = database.url;
  commandLine = await CommandLine.open({ DATABASE_URL: database.url });
  return async () => {
    await commandLine.close();
    await database.drop();
  };
}, 120_000);

test('a user is erased once the erasure was typed; the record says when, by whom and why', {
  timeout: 120_000,
}, async () => {
  await commandLine.makeRepository();
  const ada = new WrittenObject('ada');
  Object.assign(ada.object, { address: 'ada@contoso.example' });
  ada.put('mail', { kind: 'message', name: 'Secret', parentId: null, contents: { mime: Buffer.from('Secret') } });
  await backUpBeside(commandLine, databaseUrl, ada);
  const erase = ['erase', '--user', 'Ada@contoso.example', '--reason', 'Request 17', '--by', 'Grace'];
  expect(await commandLine.run(['erase', '--reason', 'none'])).toMatchObject({ exitCode: 2 });
  expect(await commandLine.run(erase.slice(0, 3))).toMatchObject({ exitCode: 2 });
  expect(await commandLine.run([...erase, '--confirm', 'yes'])).toMatchObject({ exitCode: 2 });
  const plan = await commandLine.run(erase);
  expect(plan).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining("--confirm 'erase 1 object of Ada@contoso.example'"),
  });
  expect((await commandLine.run(['objects'])).out).toContain('ada@contoso.example');
  const erased = await commandLine.run([...erase, '--confirm', 'erase 1 object of Ada@contoso.example', '--json']);
  expect(erased).toMatchObject({ exitCode: 0, problems: '' });
  expect(erased.lines).toContainEqual(expect.objectContaining({ type: 'result', items: 1, commitsLocked: 0 }));
  expect((await commandLine.run(['objects'])).exitCode).not.toBe(0);
  const list = await commandLine.run(['erase', '--list']);
  expect(list.out).toMatch(/Grace.*Request 17/);
  expect(list.out).not.toContain('ada@');
  expect((await commandLine.run([...erase, '--confirm', 'erase 1 object of Ada@contoso.example'])).problems).toContain(
    'nothing to erase',
  );
});
