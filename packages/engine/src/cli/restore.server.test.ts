import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { PASSWORD } from '../testing/test-parts.ts';
import { makeRepositoryIn } from './testing/command-line.ts';

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

const environment = () => ({
  ...process.env,
  KEEPWATCH_REPOSITORY: join(folder, 'repository'),
  KEEPWATCH_REPOSITORY_PASSWORD: PASSWORD,
  KEEPWATCH_ENGINE_DATA: folder,
  DATABASE_URL: database.url,
});

type Line = Record<string, unknown>;

/** Runs a command as its own process. @returns its exit code and its lines */
async function engine(...args: string[]): Promise<{ code: number; lines: Line[] }> {
  const { stdout, code } = await run(process.execPath, [MAIN, ...args, '--json'], {
    maxBuffer: 1 << 26,
    env: environment(),
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
  const store = await openFolderStore(join(folder, 'repository'));
  await makeRepositoryIn(store);
  await store.close();
  await backUp();
  return address();
}

async function backUp(): Promise<void> {
  const tenant = join(folder, 'small.json');
  const { code, lines } = await engine(
    'backup',
    '--tenant',
    tenant,
    '--kinds',
    'mailbox',
    '--include',
    `user:${address()}`,
  );
  expect(lines.filter(({ type }) => type === 'problem')).toEqual([]);
  expect(code).toBe(0);
}

/** Counts of a user's items by folder, read behind the wire; a folder by its path. */
function countsOf(tenant: RunningTenant): Record<string, number> {
  const mailbox = tenant.tenant.mailboxes.of(address());
  const pathOf = (folder: ReturnType<typeof mailbox.folder>): string => {
    const above = mailbox.folders.get(folder.parent);
    return above === undefined || above === folder ? folder.displayName : `${pathOf(above)}/${folder.displayName}`;
  };
  const counts = [...mailbox.folders.values()].map((folder) => [pathOf(folder), folder.itemCount] as const);
  return Object.fromEntries(
    counts
      .filter(([path, count]) => count > 0 && !/Deletions|Purges/.test(path))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Paints every message of the mailbox blue. */
function changeAll(tenant: RunningTenant): void {
  tenant.advance(3_600_000);
  const mailbox = tenant.tenant.mailboxes.of(address());
  for (const folder of mailbox.folders.values())
    for (let at = 0; at < folder.itemCount; at += 1) {
      const item = mailbox.findItem(folder.numberAt(at));
      if (item?.content.kind === 'message') mailbox.changeItem(item, { ...item.content, categories: ['Blue'] });
    }
}

/** What a person has set up goes back into the own mailbox alone. */
const SETTINGS = 10;

describe('the command line', () => {
  test('reports a size, exports and restores, and says by its exit code how it ended', async () => {
    const user = await backedUp();
    const size = lastOf((await engine('size', '--object', user)).lines);
    expect(size).toMatchObject({ items: expect.any(Number), bytes: expect.any(Number) });
    const pst = await engine('export', '--object', user, '--to', join(folder, 'mailbox.pst'));
    expect(pst.code).toBe(0);
    expect(lastOf(pst.lines)).toMatchObject({ missing: 0, files: [join(folder, 'mailbox.pst')] });
    const wrong = await engine('export', '--object', user, '--to', join(folder, 'mailbox.csv'));
    expect(wrong.code).toBe(2);
    const zip = await engine('export', '--object', user, '--to', join(folder, 'mailbox.zip'));
    expect(zip.code).toBe(0);
    expect(lastOf(zip.lines)).toMatchObject({ missing: 0, renamed: expect.any(Number) });
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
    expect(again).toMatchObject({ restored: 0, skipped: Number(plan?.['created']) + SETTINGS });
    const into = ['restore', '--object', user, '--tenant', join(folder, 'empty.json'), '--into', 'Aside'];
    expect(lastOf((await engine(...into)).lines)).toMatchObject({ restored: plan?.['created'] });
    expect(lastOf((await engine(...into)).lines)).toMatchObject({
      restored: 0,
      skipped: Number(plan?.['created']) + SETTINGS,
    });
  }, 120_000);

  test('restores an attachment alone, and names those that there are', async () => {
    const user = await backedUp();
    const tenant = ['--tenant', join(folder, 'empty.json')];
    const found = (await engine('search', '--file', 'pdf', '--kind', 'message', '--object', user)).lines;
    const item = String(found.find(({ type, kind }) => type === 'row' && kind === 'message')?.['id']);
    const wrong = await engine('restore', '--object', user, ...tenant, '--item', item, '--attachment', 'none.pdf');
    expect(wrong.code).toBe(1);
    const part = /attachment\/\d+/.exec(JSON.stringify(wrong.lines))?.[0] ?? '';
    const given = ['restore', '--object', user, ...tenant, '--item', item, '--attachment', part, '--into', 'Files'];
    const done = await engine(...given);
    expect(done.code).toBe(0);
    expect(lastOf(done.lines)).toMatchObject({ outcome: 'restored', folder: 'Files' });
    expect(lastOf((await engine(...given)).lines)).toMatchObject({ outcome: 'skipped' });
    expect(countsOf(empty)).toMatchObject({ 'Top of Information Store/Files': 1 });
    const idle = await engine(...given, '--conflict', 'replace');
    expect(idle.code).toBe(2);
  });

  test('counts what comes back without a part of it, and names the items with --verbose', async () => {
    const user = await backedUp();
    // Without an import every sent message becomes a draft.
    empty.tenant.hasMailboxTransfer = false;
    const said = async (...more: string[]) => {
      const args = ['restore', '--object', user, '--tenant', join(folder, 'empty.json'), ...more];
      const ended: { stdout: string; stderr: string; code?: number } = await run(process.execPath, [MAIN, ...args], {
        maxBuffer: 1 << 26,
        env: environment(),
      }).catch((error: { stdout: string; stderr: string; code: number }) => error);
      return ended;
    };
    const brief = await said();
    expect(brief.code).toBe(3);
    expect(brief.stdout).toMatch(/^\d+ restored without the mark that it was sent/m);
    expect(brief.stdout + brief.stderr).not.toContain('Not whole');
    const whole = await said('--into', 'Aside', '--verbose');
    expect(whole.stderr).toMatch(/^Not whole: Inbox \/ .*\. It came back without the mark/m);
  }, 120_000);

  test('goes on after it was killed at any point: nothing is doubled, nothing is missing', async () => {
    const user = await backedUp();
    const args = ['--object', user, '--tenant', join(folder, 'empty.json')];
    let kills = 0;
    for (let isDone = false; !isDone; ) {
      // After so many answers of the tenant, wherever the restore is by then.
      const after = kills < 6 ? 15 + 15 * kills : Number.POSITIVE_INFINITY;
      isDone = (await killedAfter(after, args)) === 0;
      if (!isDone) kills += 1;
    }
    expect(kills).toBeGreaterThan(4);
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
    expect(countsOf(empty)).toEqual(countsOf(small));
    console.log(`Killed ${kills} times.`);
  }, 240_000);

  test('keeps both of what differs once, although it was killed and begun again', async () => {
    const user = await backedUp();
    const args = ['--object', user, '--path', 'Inbox', '--tenant', join(folder, 'empty.json')];
    expect((await engine('restore', ...args)).code).toBe(0);
    const before = sumOf(countsOf(empty));
    changeAll(empty);
    const both = [...args, '--conflict', 'keep-both'];
    const plan = lastOf((await engine('restore', ...both, '--plan')).lines);
    expect(plan).toMatchObject({ created: 0, copied: before });
    expect(await killedAfter(60, both)).not.toBe(0);
    // Another backup makes of the same words another restore, which would not know the copies of the first.
    small.evolve(50);
    await backUp();
    const refused = await engine('restore', ...both);
    const [, at = ''] =
      /restore point of (\S+Z),.*--at/.exec(
        String(refused.lines.find(({ type }) => type === 'problem')?.['message']),
      ) ?? [];
    expect([refused.code, Number.isNaN(Date.parse(at))]).toEqual([2, false]);
    const same = [...both, '--at', at];
    expect(await killedAfter(60, same)).not.toBe(0);
    expect(await killedAfter(Number.POSITIVE_INFINITY, same)).toBe(0);
    expect(sumOf(countsOf(empty))).toBe(2 * before);
  }, 240_000);
});

function killedAfter(requests: number, args: readonly string[]): Promise<number | null> {
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [MAIN, 'restore', '--json', ...args], { stdio, env: environment() });
  return endOf(child, requests);
}

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
