import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const run = promisify(execFile);

let folder: string;
let database: TestDatabase;
let small: RunningTenant;
let empty: RunningTenant;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-cli-'));
  database = await createTestDatabase();
  small = await startTenant({ size: 'small', budgets: false });
  empty = await startTenant({ size: 'empty', seed: 77, budgets: false });
  for (const user of small.tenant.directory.users) if (user.mailbox) empty.tenant.directory.putUser({ ...user });
  await writeFile(join(folder, 'password'), 'correct horse battery\n');
  await writeTenant('small', small);
  await writeTenant('empty', empty);
});
afterEach(async () => {
  await Promise.all([small.stop(), empty.stop()]);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function writeTenant(name: string, { tenantId, application, loginUrl, graphUrl }: RunningTenant): Promise<void> {
  const applications = [{ clientId: application.clientId, secret: application.clientSecret }];
  await writeFile(
    join(folder, `${name}.json`),
    JSON.stringify({ tenantId, applications, loginUrl, graphUrl, licences: 1_000_000 }),
  );
}

const common = () => [
  '--repository',
  join(folder, 'repository'),
  '--password-file',
  join(folder, 'password'),
  '--database',
  database.url,
  '--data',
  folder,
  '--json',
];

type Line = Record<string, unknown>;

/** Runs a command as its own process. @returns its exit code and its lines */
async function engine(...args: string[]): Promise<{ code: number; lines: Line[] }> {
  const [command = '', ...rest] = args;
  const { stdout, code } = await run(process.execPath, [MAIN, command, ...common(), ...rest], {
    maxBuffer: 1 << 26,
  }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
  return { code, lines };
}

const lastOf = (lines: readonly Line[]) => lines.findLast(({ type }) => type === 'result');
const address = () => [...small.tenant.directory.users].find(({ mailbox }) => mailbox)?.userPrincipalName ?? '';

async function backedUp(): Promise<string> {
  await engine('init');
  const { code, lines } = await engine(
    'backup',
    '--tenant',
    join(folder, 'small.json'),
    '--kinds',
    'mailbox',
    '--include',
    `user:${address()}`,
  );
  expect(lastOf(lines)).toMatchObject({ outcome: 'Success' });
  expect(code).toBe(0);
  return address();
}

/** Counts of what the empty tenant holds, read behind the wire. */
function countsOf(tenant: RunningTenant): { items: number; subjects: number } {
  const mailbox = tenant.tenant.mailboxes.of(address());
  const items = [...mailbox.folders.values()].flatMap(({ number }) => [...mailbox.itemsIn(number)]);
  return { items: items.length, subjects: new Set(items.map(({ number }) => number)).size };
}

describe('the command line', () => {
  test('tells a size, exports and restores, and says by its exit code how it ended', async () => {
    const user = await backedUp();
    const size = lastOf((await engine('size', '--object', user)).lines);
    expect(size).toMatchObject({ items: expect.any(Number), bytes: expect.any(Number) });
    const pst = await engine('export', '--object', user, '--to', join(folder, 'mailbox.pst'));
    expect(pst.code).toBe(0);
    expect(lastOf(pst.lines)).toMatchObject({ missing: 0, files: [join(folder, 'mailbox.pst')] });
    const wrong = await engine('export', '--object', user, '--to', join(folder, 'mailbox.zip'));
    expect(wrong.code).toBe(2);
    const plan = lastOf(
      (await engine('restore', '--object', user, '--tenant', join(folder, 'empty.json'), '--plan')).lines,
    );
    const done = await engine('restore', '--object', user, '--tenant', join(folder, 'empty.json'));
    expect(done.code).toBe(0);
    expect(lastOf(done.lines)).toMatchObject({
      outcome: 'Success',
      restored: plan?.['created'],
      failed: 0,
      stoppedBy: null,
    });
    const again = lastOf((await engine('restore', '--object', user, '--tenant', join(folder, 'empty.json'))).lines);
    expect(again).toMatchObject({ restored: 0, skipped: plan?.['created'] });
  }, 120_000);

  test('goes on after it was killed at any point: nothing is doubled, nothing is missing', async () => {
    const user = await backedUp();
    const args = ['restore', ...common(), '--object', user, '--tenant', join(folder, 'empty.json')];
    let kills = 0;
    for (let isDone = false; !isDone; ) {
      const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      // After so many answers of the tenant, wherever the restore is by then.
      const after = kills < 8 ? 40 + 37 * kills : Number.POSITIVE_INFINITY;
      isDone = (await endOf(child, after)) === 0;
      if (!isDone) kills += 1;
    }
    expect(kills).toBe(8);
    expect((await readdir(join(folder, 'restores'))).length).toBe(0);
    const { code } = await engine(
      'backup',
      '--tenant',
      join(folder, 'empty.json'),
      '--kinds',
      'mailbox',
      '--include',
      `user:${address()}`,
      '--job',
      'back',
    );
    expect(code).toBe(0);
    console.log(`Killed ${kills} times.`);
  }, 240_000);
});

/** The exit code; after so many requests that the tenant answered the process is killed at once. */
function endOf(child: ChildProcess, requests: number): Promise<number | null> {
  empty.resetRequests();
  const look = setInterval(() => {
    if (empty.requests().total >= requests) child.kill('SIGKILL');
  }, 5);
  return new Promise((resolve) => {
    child.stdout?.resume();
    child.once('exit', (code) => {
      clearInterval(look);
      resolve(code);
    });
  });
}
