import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { generate } from 'selfsigned';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { CommandLine, Ended } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

const execute = promisify(execFile);
// Every step starts a program, and each takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let database: TestDatabase;
let commandLine: CommandLine;
let address = '';
let secret = '';
let clientId = '';

/** A repository with one restore point, on which everything is tried that must not work. */
beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, database, commandLine } = opened);
  ({ clientId, clientSecret: secret } = tenant.application);
  address = tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.mail ?? '';
  await commandLine.makeRepository();
  await commandLine.run(backupOf(address));
  return opened.close;
}, 120_000);

const backupOf = (user: string) => ['backup', '--kinds', 'mailbox', '--include', `user:${user}`];
const run = (...args: string[]) => commandLine.run(args);
const filesIn = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

/** Expects one line that says what happened, no stack, nothing on the other stream, and nothing changed in the repository. */
async function expectRefusal(work: () => Promise<Ended>, exitCode: number, text: RegExp): Promise<void> {
  const before = await filesIn(commandLine.repository);
  const ended = await work();
  expect(ended).toMatchObject({ exitCode, problems: expect.stringMatching(text) });
  expect(ended.problems).not.toMatch(/\n\s+at /);
  expect(ended.problems.trimEnd().split('\n')).toHaveLength(1);
  expect(ended.out).toBe('');
  expect((await filesIn(commandLine.repository)).filter((name) => !before.includes(name))).toEqual([]);
}

test('a repository is made in no folder that has other files, and in one with what a new disk contains', async () => {
  const folder = join(commandLine.folder, 'photos');
  await mkdir(join(folder, 'lost+found'), { recursive: true });
  await writeFile(join(folder, 'Holiday.jpg'), 'x');
  await expectRefusal(() => run('init', '-r', folder), 2, /photos is not empty: it has 'Holiday\.jpg'\. .*new folder/);
  expect(await readdir(folder)).toHaveLength(2);
  await rm(join(folder, 'Holiday.jpg'));
  expect(await run('init', '-r', folder)).toMatchObject({ exitCode: 0, problems: '' });
});

test.each([
  ['a word that is no command', ['bakup'], /There is no command 'bakup'.*Did you mean 'backup'\?/],
  [
    'an option that is not known',
    ['browse', '--objekt', 'x'],
    /Unknown option '--objekt'\. Did you mean '--object'\? `keepwatch-engine browse --help`/,
  ],
  ['a word where none is accepted', ['objects', 'ada'], /'objects' takes options alone, but got 'ada'/],
  ['a number that is none', ['browse', '--object', 'x', '--limit', '1e9'], /--limit is '1e9'/],
  ['a day that does not exist', ['objects', '--at', '2026-02-30'], /--at is '2026-02-30'/],
  [
    'a kind that is not known',
    ['backup', '--kinds', 'mailbox,postbox'],
    /--kinds is 'postbox', but must be one of mailbox/,
  ],
  ['a selection without its type', ['backup', '--include', 'ada'], /'ada' must begin with user:/],
  [
    'both ways to say which restore point',
    ['objects', '--restore-point', 'x', '--at', '2026-01-01'],
    /either --restore-point or --at/,
  ],
  ['an order that is not known', ['browse', '--object', 'Ada', '--sort', 'colour'], /--sort is 'colour'/],
  ['a prune that does not say what to keep', ['prune'], /--keep-days <days>, or --before/],
  ['a search for nothing', ['search'], /Say what to find/],
  ['a search for blanks', ['search', ' '], /Say what to find/],
  [
    'a search whose time ends before it begins',
    ['search', 'x', '--since', '2026-02-02', '--until', '2026-02-01'],
    /--since '2026-02-02' is after --until '2026-02-01'/,
  ],
  [
    'restore points of such a time',
    ['restore-points', '--from', '2026-02-02', '--to', '2026-02-01'],
    /so the period is empty\. Exchange the two/,
  ],
  ['a page of nothing', ['search', 'x', '--limit', '0'], /--limit is '0', but must be a whole number from 1 to 1000/],
  [
    'a database address that is none',
    ['objects', '--database', 'secret@host'],
    /^The database address must look like postgres:/,
  ],
  ['a password that is nowhere', ['objects', '--password-file', '/nonexistent/x'], /cannot be read: it is not there/],
])('answers %s with one line and exit code 2', async (_, args, text) => {
  const ended = await run(...args);
  expect(ended.problems).toMatch(text);
  expect(ended.problems).not.toMatch(/\n\s+at |secret@host/);
  expect(ended.exitCode).toBe(2);
});

test('a restore refuses options that do nothing for its kind of object, and a target without a name', async () => {
  const restore = ['restore', '--object', address];
  await expectRefusal(() => run(...restore, '--permissions'), 2, /--permissions does nothing for .* it is for drive/);
  await expectRefusal(() => run(...restore, '--to', ''), 2, /--to is missing/);
});

test('reports a wrong password, and a place without a repository, which it does not make', async () => {
  await expectRefusal(
    () => commandLine.run(['objects'], { KEEPWATCH_REPOSITORY_PASSWORD: 'not this one' }),
    1,
    /^The password does not open the repository/,
  );
  const elsewhere = join(commandLine.folder, 'typing-eror');
  await expectRefusal(
    () => run('objects', '-r', elsewhere),
    1,
    /There is no folder .*typing-eror\. Correct --repository/,
  );
  expect(await readdir(commandLine.folder)).not.toContain('typing-eror');
  await expectRefusal(() => run('init'), 1, /There is a repository in .* already/);
  await expectRefusal(
    () => commandLine.run(['init', '-r', elsewhere], { KEEPWATCH_REPOSITORY_PASSWORD: 'short' }),
    2,
    /at least 8 characters/,
  );
});

test.each([
  ['text that is no JSON', '{"secret": "topsecret", "tenantId": x}', /is not JSON/],
  [
    'a field that is not known',
    { tenantId: 'x', applications: [{ clientId: 'x', secret: 'y' }], tenand: 1 },
    /Unrecognized key: "tenand"/,
  ],
  ['no application', { tenantId: 'x', applications: [] }, /applications: /],
  [
    'an application without a proof',
    { tenantId: 'x', applications: [{ clientId: 'x' }] },
    /needs either a secret or a certificateFile/,
  ],
  [
    'an address that is none',
    { tenantId: 'x', loginUrl: 'ftp://x', applications: [{ clientId: 'x', secret: 'y' }] },
    /loginUrl: Invalid URL/,
  ],
])('refuses a tenant file with %s, and repeats no secret of it', async (_, content, text) => {
  const path = await commandLine.file('bad-tenant.json', content);
  await expectRefusal(() => run(...backupOf(address), '--tenant', path), 2, text);
  expect((await run('tenant', 'check', '--tenant', path)).problems).not.toContain('topsecret');
});

test('reports a wrong secret, an unknown application and a tenant that is not there', async () => {
  const wrong = await commandLine.writeTenant(tenant, { clientId, secret: 'wrong' }, 'wrong-secret.json');
  const unknown = await commandLine.writeTenant(tenant, { clientId: crypto.randomUUID(), secret }, 'unknown.json');
  const gone = await commandLine.writeTenant(
    { ...tenant, tenantId: crypto.randomUUID() },
    { clientId, secret },
    'gone.json',
  );
  for (const [path, text] of [
    [wrong, /The secret is wrong\. Give the value of a secret/],
    [unknown, /The tenant does not know the application/],
    [gone, /There is no such tenant/],
  ] as const) {
    await expectRefusal(() => run('tenant', 'check', '--tenant', path), 1, text);
    const ended = await run(...backupOf(address), '--tenant', path);
    expect(ended).toMatchObject({
      exitCode: 1,
      problems: expect.stringMatching(text),
      out: expect.stringMatching(/^Failed\. Nothing was backed up/),
    });
  }
});

test('names the permissions that are missing, and fails a backup that may read nothing', async () => {
  const some = tenant.registerApplication(['User.Read.All', 'Mail.Read', 'Calendars.ReadWrite']);
  const none = tenant.registerApplication([]);
  const part = await commandLine.writeTenant(
    tenant,
    { clientId: some.clientId, secret: some.clientSecret },
    'part.json',
  );
  const empty = await commandLine.writeTenant(
    tenant,
    { clientId: none.clientId, secret: none.clientSecret },
    'none.json',
  );
  const checked = await run('tenant', 'check', '--kinds', 'mailbox', '--tenant', part, '--json');
  expect(checked.exitCode).toBe(3);
  const missing = checked.lines.filter(({ type }) => type === 'row').map((row) => row['missing permission']);
  expect(missing).toEqual(expect.arrayContaining(['Contacts.Read', 'Tasks.Read.All', 'Mail.ReadWrite']));
  expect(missing).not.toEqual(expect.arrayContaining(['Calendars.Read']));
  expect((await run('tenant', 'check', '--tenant', empty)).exitCode).toBe(1);
  const ended = await run(...backupOf(address), '--tenant', empty);
  expect(ended).toMatchObject({
    exitCode: 1,
    problems: expect.stringMatching(/403 .*Let an administrator grant the application/),
  });
});

test('reports an expired certificate before anything is sent', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'backup' }], {
    notBeforeDate: new Date('2020-01-01T00:00:00Z'),
    notAfterDate: new Date('2020-12-31T00:00:00Z'),
  });
  await commandLine.file('expired.pem', `${key}\n${cert}\n`);
  const path = await commandLine.writeTenant(tenant, { clientId, certificateFile: 'expired.pem' }, 'expired.json');
  await expectRefusal(
    () => run('tenant', 'check', '--tenant', path),
    1,
    /^The certificate of the application .* expired on 2020-12-31\. Renew it/,
  );
});

test('does not know restore points, objects, folders and items that are not there', async () => {
  await expectRefusal(
    () => run('objects', '--restore-point', 'nope'),
    1,
    /There is no restore point 'nope'\. 'restore-points' lists them/,
  );
  await expectRefusal(() => run('browse', '--object', 'unknown'), 1, /has no object 'unknown'\. 'objects' lists/);
  await expectRefusal(
    () => run('browse', '--object', address, '--folder', 'AAMk'),
    1,
    /There is no folder with the id 'AAMk'/,
  );
  await expectRefusal(
    () => run('browse', '--object', address, '--path', 'Inbox/Nope'),
    1,
    /'Inbox' has no folder 'Nope'\. 'browse --path Inbox' lists them; a '\/' within a name is written '\\\/'\./,
  );
  await expectRefusal(() => run('size', '--object', address, '--path', ''), 2, /^--path '' names no folder/);
  await expectRefusal(
    () => run('prune', '--before', '2099-01-01'),
    2,
    /^2099-01-01T.* is in the future: .* Choose a time in the past/,
  );
  await expectRefusal(
    () => run('versions', '--object', address, '--item', 'AAMk'),
    1,
    /never had an item with the id 'AAMk'/,
  );
  await expectRefusal(() => run('versions', '--object', address), 2, /^--item is missing/);
});

test('shows names that would move the cursor or turn the line around as something harmless', async () => {
  const names = [
    '\u001b[2J\u001b]0;x\u0007',
    'a\u202egnp.exe',
    "'; DROP SCHEMA engine; --",
    '../../etc/passwd',
    '\u{1f469}\u200d\u{1f4bb}',
    '%s%n\\0',
  ];
  for (const [at, name] of names.entries()) {
    const commands = [
      ['browse', '--object', name],
      ['objects', '--restore-point', name],
      ['browse', '--object', address, '--path', name],
      ['search', name],
    ];
    // The last three, which a terminal shows as they are, meet half of the commands.
    for (const args of commands.filter((_, number) => at < 3 || (at + number) % 2 === 0)) {
      const { problems, out, exitCode } = await run(...args);
      expect([0, 1, 2]).toContain(exitCode);
      expect(problems + out).not.toMatch(/(?!\n)[\p{Cc}\u{202e}]|\n\s+at /u);
    }
  }
  expect((await run('objects')).exitCode).toBe(0);
}, 120_000);

test('says that a repository or a catalog belongs to a newer version, and changes neither', async () => {
  const path = join(commandLine.repository, 'keepwatch-repository');
  const identity = await readFile(path, 'utf8');
  await writeFile(path, JSON.stringify({ ...JSON.parse(identity), format: 99 }));
  await expectRefusal(() => run('objects'), 1, /newer/i);
  await writeFile(path, identity);
  const other = await createTestDatabase();
  expect((await run('objects', '--database', other.url)).exitCode).toBe(1);
  const client = new pg.Client({ connectionString: other.url });
  await client.connect();
  await client.query('INSERT INTO engine.schema_versions (version) VALUES (99)');
  await client.end();
  await expectRefusal(
    () => run('objects', '--database', other.url),
    1,
    /has schema 99; this version .* Use a newer version/,
  );
  await other.drop();
});

test('says that the database is away, without its password', async () => {
  const away = 'postgres://keeper:topsecret@127.0.0.1:9/keepwatch';
  await expectRefusal(
    () => run('objects', '--database', away),
    1,
    /^127\.0\.0\.1:9\/keepwatch: The catalog's database cannot be reached/,
  );
  expect((await run('objects', '--database', away)).problems).not.toContain('topsecret');
  const url = new URL(database.url);
  url.pathname = '/not-there';
  await expectRefusal(() => run('objects', '--database', url.href), 1, /\(3D000\)\. It has no such database/);
});

test('says what a bucket that refuses wants', async () => {
  const server = createServer((_, reply) => {
    reply.writeHead(403, { 'content-type': 'application/xml' });
    reply.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const place = `s3://bucket/contoso?endpoint=http://127.0.0.1:${port}&path-style`;
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'topsecret' };
  for (const command of ['init', 'objects'])
    await expectRefusal(() => commandLine.run([command, '-r', place], keys), 1, /The keys may not do this/);
  await expectRefusal(() => run('init', '-r', place), 2, /The keys of bucket bucket are missing/);
});

test('ends a backup on a full disk as a failure, and leaves a repository that goes on with more room', async (context) => {
  const { folder: disk, remount } = await smallDisk(context, '512k');
  await commandLine.makeRepository(disk);
  const before = (await run('restore-points', '-r', disk)).out;
  const full = await run(...backupOf(address), '-r', disk);
  expect(full).toMatchObject({
    exitCode: 1,
    problems: expect.stringMatching(/The disk is full: free some space or prune/),
  });
  expect(full.problems).not.toMatch(/\n\s+at /);
  expect((await run('restore-points', '-r', disk)).out).toBe(before);
  await remount('size=64m');
  expect((await run(...backupOf(address), '-r', disk)).exitCode).toBe(0);
  expect((await run('verify', '--full', '-r', disk)).exitCode).toBe(0);
});

test('prunes on a disk without a free byte, and deletes what a prune needs none for', async (context) => {
  const { folder: disk, fill } = await smallDisk(context, '48m');
  await commandLine.makeRepository(disk);
  expect((await run(...backupOf(address), '-r', disk)).exitCode).toBe(0);
  await fill();
  expect(await run(...backupOf(address), '-r', disk)).toMatchObject({ exitCode: 1 });
  const pruned = await run('prune', '--keep-days', '0', '-r', disk);
  expect(pruned).toMatchObject({ exitCode: 0, out: expect.stringMatching(/freed/) });
  expect((await run('verify', '--full', '--no-lock', '-r', disk)).exitCode).toBe(0);
});

test('ends an export onto a full disk, or to where no file can be, in one line, and leaves nothing there', async (context) => {
  const { folder: disk } = await smallDisk(context, '64k');
  for (const [to, said] of [
    [join(disk, 'mailbox.pst'), /mailbox\.pst: Its disk is full/],
    [join(disk, 'nowhere', 'mailbox.pst'), /nowhere: This folder does not exist\. Make it/],
    [join(commandLine.folder, 'mailbox.docx'), /does not say in which format: a mailbox is saved as \.pst/],
  ] as const) {
    const { exitCode, problems } = await run('export', '--object', address, '--to', to);
    expect(exitCode).not.toBe(0);
    expect(problems).toMatch(said);
    expect(problems).not.toMatch(/\n\s+at /);
  }
  expect(await readdir(disk)).toEqual([]);
});

test('ends with its own exit code when its output is not read, and in one line where that cannot be written', async () => {
  const program = `"${process.execPath}" "${new URL('./main.ts', import.meta.url).pathname}"`;
  const unheard = `${program} backup --kinds foo 2>&1 >/dev/null | true; echo \${PIPESTATUS[0]}`;
  expect((await execute('bash', ['-c', unheard])).stdout).toBe('2\n');
  const unwritten = `${program} help >/dev/full; echo $?`;
  const { stdout, stderr } = await execute('bash', ['-c', unwritten]);
  expect(stdout).toBe('1\n');
  expect(stderr).toMatch(/^What was found cannot be written: ENOSPC.*\n$/);
});

test('says that a folder may only be read, and still browses it', async (context) => {
  const { folder: disk, remount } = await smallDisk(context, '64m');
  await commandLine.makeRepository(disk);
  expect((await run(...backupOf(address), '-r', disk)).exitCode).toBe(0);
  await remount('ro');
  const refused = await run(...backupOf(address), '-r', disk);
  expect(refused).toMatchObject({ exitCode: 1, problems: expect.stringMatching(/refuses it: check owner and rights/) });
  expect((await run('browse', '--object', address, '-r', disk)).exitCode).toBe(0);
});
