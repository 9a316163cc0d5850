import { execFile } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { query, startForTest, startOtherProgram, testFolder } from './test-folder.fixture.ts';
import { runsAsRoot } from './unprivileged-account.ts';

const run = promisify(execFile);
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

if (!runsAsRoot()) console.warn('Tests of starting the database as root are skipped: they need root.');

describe.runIf(runsAsRoot())('started by root', () => {
  test('runs under an ordinary account that owns the cluster', async () => {
    const folder = await testFolder();
    await startForTest(folder);
    const owner = (await stat(join(folder, 'postgres'))).uid;
    const pid = Number((await run('cat', [join(folder, 'postgres', 'postmaster.pid')])).stdout.split('\n')[0]);
    expect(owner).not.toBe(0);
    expect((await stat(`/proc/${pid}`)).uid).toBe(owner);
  });

  test('goes on under the account that made the database', async () => {
    const folder = await testFolder();
    await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    const { program } = await startOtherProgram(folder, UNPRIVILEGED);
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill('SIGTERM');
    expect(await ended).toBe(0);
    const database = await startForTest(folder);
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(folder, 'postgres'))).uid).toBe(UNPRIVILEGED.uid);
  });

  test('gives a cluster that root has unpacked back to the account that can use it', async () => {
    const folder = await testFolder();
    await (await startForTest(folder)).stop();
    await run('chown', ['-R', '0:0', join(folder, 'postgres')]);
    const database = await startForTest(folder);
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(runsAsRoot())('started by root in a place the ordinary account cannot use', () => {
  test('puts the database where the account can reach it when the data folder is closed, and finds it again', async () => {
    const folder = await testFolder();
    await chmod(folder, 0o700);
    const lines: string[] = [];
    const first = await startForTest(folder, { durable: true, log: (line) => lines.push(line) });
    const place = await readlink(join(folder, 'postgres'));
    onTestFinished(() => rm(join(place, '..'), { recursive: true, force: true }));
    expect(lines.join('\n')).toContain(`cannot reach ${folder}: the database is in ${place}`);
    await query(first.url, 'create table stored as select 42 as answer');
    await first.stop();
    const second = await startForTest(folder, { durable: true });
    expect(await query(second.url, 'select answer from stored')).toEqual([{ answer: 42 }]);
  });

  test('removes a throwaway database it had to put elsewhere', async () => {
    const folder = await testFolder();
    await chmod(folder, 0o700);
    const database = await startForTest(folder, { durable: false });
    const place = await readlink(join(folder, 'postgres'));
    await database.stop();
    await expect(lstat(place)).rejects.toThrow(/ENOENT/);
  });

  test('says so when the database elsewhere is gone, and does not begin an empty one', async () => {
    const folder = await testFolder();
    await chmod(folder, 0o700);
    await (await startForTest(folder, { durable: false })).stop();
    await expect(startForTest(folder)).rejects.toThrow(/points to is gone.*or remove/);
  });

  test('refuses a database whose folder has been closed since, without moving it', async () => {
    const folder = await testFolder();
    await (await startForTest(folder)).stop();
    await chmod(folder, 0o700);
    await expect(startForTest(folder)).rejects.toThrow(/cannot reach the database in .*chmod o\+x/);
  });

  test('says so in one line when the disk of an existing database is full', async ({ skip }) => {
    const folder = await testFolder();
    const small = await mkdtemp(join(folder, 'small-'));
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', small]).catch(
      () => undefined,
    );
    if (mounted === undefined) return skip('this machine does not allow mounting a small disk');
    onTestFinished(async () => void (await run('umount', [small])));
    await (await startForTest(small)).stop();
    await writeFile(join(small, 'full'), Buffer.alloc(160 * 1024 * 1024)).catch(() => undefined);
    await expect(startForTest(small)).rejects.toThrow(
      /^Cannot use the folder .* \(ENOSPC\)\. The disk is full: [^\n]*$/,
    );
  });

  test('says once why PostgreSQL does not start', async () => {
    const folder = await testFolder();
    await (await startForTest(folder)).stop();
    await chmod(join(folder, 'postgres'), 0o777);
    const lines: string[] = [];
    await expect(startForTest(folder, { log: (line) => void lines.push(line) })).rejects.toThrow(/invalid permissions/);
    expect(lines.filter((line) => line.startsWith('FATAL'))).toEqual([]);
  });

  test('says so when the disk is full, and leaves no half-made database', async ({ skip }) => {
    const folder = await testFolder();
    const small = await mkdtemp(join(folder, 'small-'));
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', small]).catch(
      () => undefined,
    );
    if (mounted === undefined) return skip('this machine does not allow mounting a small disk');
    onTestFinished(async () => void (await run('umount', [small])));
    await expect(startForTest(small)).rejects.toThrow(/No space left on device.*Free some space/);
    expect(await readdir(small)).not.toContain('postgres');
    expect(await readdir(small)).not.toContain('postgres.unfinished');
  });
});

describe.runIf(runsAsRoot())('started by an ordinary account', () => {
  test('makes and runs the database under that account', async () => {
    const folder = await testFolder();
    await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    const { line } = await startOtherProgram(folder, UNPRIVILEGED);
    expect(await query(line, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(folder, 'postgres'))).uid).toBe(UNPRIVILEGED.uid);
  });

  test('says so when the folder belongs to another account', async () => {
    const folder = await testFolder();
    const { line } = await startOtherProgram(folder, UNPRIVILEGED);
    expect(line).toMatch(/Cannot use the folder .* \(EACCES\)\. Give the account/);
  });

  test('says so when the database belongs to another account', async () => {
    const folder = await testFolder();
    await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    await mkdir(join(folder, 'postgres'), { mode: 0o755 });
    await chown(join(folder, 'postgres'), 33, 33);
    const { line } = await startOtherProgram(folder, UNPRIVILEGED);
    expect(line).toMatch(/belongs to another account \(uid 33\).*Start the program as that account/);
  });
});
