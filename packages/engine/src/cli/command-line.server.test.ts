import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

/** One mailbox keeps it short; the tests go on from each other, as a person's day does. */
const ONE = ['--kinds', 'mailbox', '--include'];
// Every step starts a program, and each takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let address = '';
let selection: string[] = [];

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);
const rowsOf = (lines: Record<string, unknown>[]) => lines.filter(({ type }) => type === 'row');
const resultOf = (lines: Record<string, unknown>[]) => lines.find(({ type }) => type === 'result');

test('says before anything was done what to do next', async () => {
  expect(await run('restore-points')).toMatchObject({ exitCode: 1, problems: /no repository|There is no folder/ });
  const made = await run('init');
  expect(made).toMatchObject({ exitCode: 0, problems: '' });
  expect(made.out).toMatch(/^Repository [0-9a-f-]{36} made in folder .*\nKeep its password safe/);
  const points = await run('restore-points');
  expect(points).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(
      /^The catalog has no restore point\. 'backup' makes the first one.*'rebuild' brings them back\.\n$/,
    ),
    problems: '',
  });
  expect(await run('objects')).toMatchObject({
    exitCode: 1,
    problems: expect.stringMatching(/^The catalog has no restore point\..*'rebuild' brings them back\.\n$/),
  });
  // The commands after it check a password that costs less.
  await rm(commandLine.repository, { recursive: true });
  await commandLine.makeRepository();
});

test('checks a tenant and lists what could be backed up', async () => {
  expect(await run('tenant', 'check')).toMatchObject({ exitCode: 0, out: expect.stringContaining('every permission') });
  const { exitCode, lines } = await run('tenant', 'objects', '--kinds', 'mailbox', '--json');
  expect(exitCode).toBe(0);
  const mailboxes = rowsOf(lines);
  expect(mailboxes.length).toBeGreaterThan(3);
  address = String(mailboxes[0]?.['address']);
  selection = [...ONE, `user:${address}`];
});

test('backs up, reports progress to a program, and ends every run of JSON lines with its exit code', async () => {
  const { exitCode, lines } = await run('backup', ...selection, '--json');
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toEqual({ type: 'end', exitCode: 0, seconds: expect.any(Number) });
  expect(resultOf(lines)).toMatchObject({ outcome: 'Success', objects: 1, itemsLost: 0 });
  const progress = lines.filter(({ type, unit }) => type === 'progress' && unit === 'objects');
  expect(progress.at(-1)).toMatchObject({ done: 1, total: 1, items: resultOf(lines)?.['itemsRead'] });
});

test('reads only what changed the next time, and lists both restore points, the newest first', async () => {
  tenant.evolve(300);
  const first = rowsOf((await run('restore-points', '--json')).lines);
  const { lines } = await run('backup', ...selection, '--json');
  const result = resultOf(lines);
  expect(Number(result?.['itemsRead'])).toBeLessThan(Number(first[0]?.['read']));
  const points = rowsOf((await run('restore-points', '--json')).lines);
  expect(points.map(({ id }) => id)).toEqual([result?.['run'], first[0]?.['id']]);
});

test('does not list a run that got nothing, which is a failure', async () => {
  const before = await run('restore-points');
  const { exitCode, problems, out } = await run('backup', '--include', 'user:unknown@contoso.example');
  expect(exitCode).toBe(1);
  expect(problems).toContain(
    'The user unknown@contoso.example is selected in the job and is not in the tenant any more.',
  );
  expect(out).toMatch(/^Failed\. Nothing was backed up/);
  expect((await run('restore-points')).out).toBe(before.out);
});

test('browses by names or by ids, and pages through all of a folder without a gap', async () => {
  const top = rowsOf((await run('browse', '--object', address, '--json')).lines);
  const inbox = top.find(({ name }) => name === 'Inbox');
  const whole = rowsOf(
    (await run('browse', '--object', address, '--path', 'inbox', '--limit', '1000', '--json')).lines,
  );
  const ids: unknown[] = [];
  let pages = 0;
  for (let after: string | undefined; pages === 0 || after !== undefined; pages += 1) {
    const page = await run(
      'browse',
      '--object',
      address,
      '--folder',
      String(inbox?.['id']),
      '--limit',
      '15',
      '--json',
      ...(after === undefined ? [] : ['--after', after]),
    );
    ids.push(...rowsOf(page.lines).map(({ id }) => id));
    const next = resultOf(page.lines)?.['next'];
    after = typeof next === 'string' ? next : undefined;
  }
  expect(ids).toEqual(whole.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(pages).toBeGreaterThan(1);
});

test('takes an order that begins with a dash, and an empty folder for what it is', async () => {
  const { exitCode, lines } = await run(
    'browse',
    '--object',
    address,
    '--path',
    'Inbox',
    '--sort',
    '-size',
    '--limit',
    '5',
    '--json',
  );
  expect(exitCode).toBe(0);
  const sizes = rowsOf(lines).map(({ bytes }) => Number(bytes));
  expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
  const outbox = await run('browse', '--object', address, '--path', 'Outbox');
  expect(outbox).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^There was nothing in it/) });
});

test('lists every version of an item, and finds the state of a day', async () => {
  const changed = rowsOf(
    (await run('browse', '--object', address, '--path', 'Inbox', '--limit', '1000', '--json')).lines,
  );
  const { lines, exitCode } = await run(
    'versions',
    '--object',
    address,
    '--item',
    String(changed[0]?.['id']),
    '--json',
  );
  expect(exitCode).toBe(0);
  expect(rowsOf(lines).at(0)).toMatchObject({ to: 'now' });
  const today = new Date().toISOString().slice(0, 10);
  expect((await run('objects', '--at', today)).exitCode).toBe(0);
  const early = await run('objects', '--at', '2020-02-29');
  expect(early).toMatchObject({ exitCode: 1, out: '' });
  expect(early.problems).toMatch(/^There is no restore point up to 2020-02-29 23:59; the oldest is of \d{4}-/);
});

test('finds items by their words, and says what to do when there are none', async () => {
  const found = await run('search', 'Quarterly', 'figures', '--json');
  expect(found.exitCode).toBe(0);
  expect(rowsOf(found.lines)[0]).toMatchObject({ kind: 'message', name: expect.stringContaining('Quarterly') });
  const none = await run('search', 'xyzzyplugh');
  expect(none).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^Nothing was found\./) });
});

test('verifies, and prunes what a dry run announced, but never the newest restore point', async () => {
  const verified = await run('verify', '--full');
  expect(verified).toMatchObject({
    exitCode: 0,
    problems: '',
    out: expect.stringContaining('Every item can be brought back.'),
  });
  const packs = await readdir(join(commandLine.repository, 'packs'));
  const dry = await run('prune', '--keep-days', '0', '--dry-run', '--json');
  expect(dry.exitCode).toBe(0);
  expect(await readdir(join(commandLine.repository, 'packs'))).toEqual(packs);
  const done = await run('prune', '--keep-days', '0', '--json');
  expect(done.exitCode).toBe(0);
  expect(resultOf(done.lines)?.['versions']).toBe(resultOf(dry.lines)?.['versions']);
  expect((await run('verify', '--full')).exitCode).toBe(0);
  expect(rowsOf((await run('restore-points', '--json')).lines)).toHaveLength(1);
  expect((await run('browse', '--object', address)).exitCode).toBe(0);
});

test('rebuilds the catalog from the repository alone', async () => {
  const before = await run('objects', '--json');
  const other = await createTestDatabase();
  const options = ['--database', other.url];
  const rebuilt = await run('rebuild', ...options);
  expect(rebuilt).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^The catalog was rebuilt from \d+ runs/),
  });
  expect(rowsOf((await run('objects', '--json', ...options)).lines)).toEqual(rowsOf(before.lines));
  const found = await run('search', 'Quarterly', '--json', ...options);
  expect(rowsOf(found.lines).length).toBeGreaterThan(0);
  await other.drop();
});

test('goes on without journals that are lost when asked to, names them once, and the next backup is whole again', async () => {
  const other = await createTestDatabase();
  const copy = join(commandLine.folder, 'copy');
  await cp(commandLine.repository, copy, { recursive: true });
  const options = ['-r', copy, '--database', other.url];
  const journals = join(copy, 'journals');
  const [first = '', ...later] = (await readdir(journals)).sort();
  expect(later.length).toBeGreaterThan(0);
  await rm(join(journals, first, '00000002'));
  const refused = await run('rebuild', ...options);
  expect(refused).toMatchObject({ exitCode: 1, problems: expect.stringMatching(/from a copy.*rebuild --accept-loss/) });
  const accepted = await run('rebuild', '--accept-loss', '--json', ...options);
  expect(accepted.exitCode).toBe(3);
  const named = accepted.lines.filter(({ type, code }) => type === 'problem' && code === 'damaged');
  expect(named.map((line) => line['run'])).toContain(first);
  expect(accepted.lines.at(-1)).toEqual({ type: 'end', exitCode: 3, seconds: expect.any(Number) });
  expect(await run('objects', ...options)).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/state.*\n.*incomplete/s),
  });
  const again = await run('backup', ...selection, ...options);
  expect(again).toMatchObject({ exitCode: 0, problems: '' });
  expect((await run('browse', '--object', address, ...options)).exitCode).toBe(0);
  const verified = await run('verify', '--full', ...options);
  expect(verified).toMatchObject({
    exitCode: 0,
    problems: '',
    out: expect.stringMatching(/Accepted as lost: 1 commit/),
  });
  expect(await run('rebuild', ...options)).toMatchObject({ exitCode: 0, problems: '' });
  await other.drop();
});

test('adds, changes, lists and removes passwords, but never the last one', async () => {
  const second = await commandLine.file('second.password', 'another battery staple\n');
  const third = await commandLine.file('third.password', 'a third battery staple\r\n');
  const with2 = { KEEPWATCH_REPOSITORY_PASSWORD: 'another battery staple' };
  expect((await run('passwords', 'add', '--new-password-file', second, '--label', 'technician')).exitCode).toBe(0);
  expect((await commandLine.run(['objects'], with2)).exitCode).toBe(0);
  expect((await commandLine.run(['passwords', 'change', '--new-password-file', third], with2)).exitCode).toBe(0);
  expect(await commandLine.run(['objects'], with2)).toMatchObject({ exitCode: 1, out: '' });
  const all = rowsOf((await run('passwords', '--json')).lines);
  expect(all.map(({ label }) => label)).toEqual(['first', 'changed']);
  expect((await run('passwords', 'remove', String(all[1]?.['id']))).exitCode).toBe(0);
  const last = await run('passwords', 'remove', String(all[0]?.['id']));
  expect(last).toMatchObject({ exitCode: 2, problems: expect.stringContaining('This is the only password') });
  expect((await run('objects')).exitCode).toBe(0);
});
