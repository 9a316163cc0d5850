import { type ExecFileException, execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  listPortalBackups,
  portalBackups,
  preparePortalRestore,
  startPortalBackup,
} from '@keepwatch/contract/administration/backups';
import { getSecretKey, rotateSecretKey, secretKey } from '@keepwatch/contract/administration/secret-key';
import { createCompany } from '@keepwatch/contract/companies/companies';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { createFirstAccount, signIn } from '@keepwatch/contract/identity/sessions';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { expect, test } from 'vitest';
import { leftAfter, PROJECT, startWholeProgram, testDataDir, type WholeProgram } from './whole-program.fixture.ts';

const ACCOUNT = { username: 'first', name: 'First', email: 'first@example.test', password: 'a long enough password' };
const isLinux = process.platform === 'linux';
if (!isLinux) console.warn('The test of backup and restore is skipped: it reads /proc.');

type Reply = { token: string; address: string; data: { _id: string }; count: number };

const signedIn = async (program: WholeProgram) =>
  (await call(program.url, signIn, { username: ACCOUNT.username, password: ACCOUNT.password })).token;

/** One call of the portal; anything but success fails the test. */
async function call(url: string, { method, path }: { method: string; path: string }, body?: object, token = '') {
  const reply = await fetch(`${url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  const read: Reply = JSON.parse(text);
  return read;
}

/** A command as a person gives it, in the data folder of the test. */
function command(args: string[], dataDir: string): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', ...args], { cwd: PROJECT, env }, (error: ExecFileException | null, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${out}${err}` }),
    );
  });
}

/** The first account and an address for reports; resolves with the address. */
async function setUp(program: WholeProgram): Promise<string> {
  const token = /\/setup\/(\S+)/.exec(program.output())?.[1] ?? '';
  await call(program.url, { method: 'POST', path: createFirstAccount.path.replace('{token}', token) }, ACCOUNT);
  const { username, password } = ACCOUNT;
  const session = await call(program.url, signIn, { username, password });
  const company = await call(program.url, createCompany, { name: 'Acme' }, session.token);
  const intake = await call(
    program.url,
    createIntakeToken,
    { name: 'cron', companyId: company.data._id },
    session.token,
  );
  return `${program.url}/api/monitoring/intake/${intake.token}`;
}

/** Reports runs one after the other until it is asked to end; resolves with how many were acknowledged. */
function keepReporting(address: string) {
  let isEnding = false;
  let acknowledged = 0;
  const startMs = Date.now() - 86_400_000;
  const done = (async () => {
    for (let number = 0; !isEnding; number += 1) {
      const startedAt = new Date(startMs + number * 60_000).toISOString();
      const run = {
        job: `job ${number % 20}`,
        startedAt,
        durationMs: 1000,
        result: 'Success',
        message: `run ${number}`,
      };
      const reply = await fetch(address, { method: 'POST', body: JSON.stringify(run) });
      if (reply.status === 200) acknowledged += 1;
    }
  })();
  const end = async () => {
    isEnding = true;
    await done;
  };
  return { acknowledged: () => acknowledged, end };
}

/** How many runs the portal lists. */
async function countRuns(program: WholeProgram): Promise<number> {
  const { username, password } = ACCOUNT;
  const { token } = await call(program.url, signIn, { username, password });
  const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const to = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const path = `${listJobExecutions.path}?from=${from}&to=${to}&filter.type=Success&filter.state=all`;
  return (await call(program.url, { method: 'GET', path }, undefined, token)).count;
}

test.runIf(isLinux)(
  'a backup made while reports come in contains every acknowledged run, and people sign in where it is restored',
  async () => {
    const program = await startWholeProgram([process.execPath, 'bootstrap/run.js', 'serve']);
    const reporting = keepReporting(await setUp(program));
    await expect.poll(reporting.acknowledged).toBeGreaterThan(20);
    const before = reporting.acknowledged();
    const file = join(await testDataDir(), 'portal.backup');
    const backup = await command(['backup', '--', file, '--with-secret'], program.dataDir);
    expect(backup).toEqual({ code: 0, output: expect.stringContaining(`is backed up to ${file}`) });
    await reporting.end();
    expect(reporting.acknowledged()).toBeGreaterThan(before);
    program.outer.kill('SIGTERM');
    expect(await leftAfter(program, 10_000)).toEqual([]);

    const dataDir = join(await testDataDir(), 'data');
    const restored = await command(['restore', '--', file], dataDir);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining(`is restored to ${dataDir}`) });
    const again = await startWholeProgram([process.execPath, 'bootstrap/run.js', 'serve'], { dataDir });
    const runs = await countRuns(again);
    expect(runs).toBeGreaterThanOrEqual(before);
    expect(runs).toBeLessThanOrEqual(reporting.acknowledged());

    expect(await command(['restore', '--', file], program.dataDir)).toEqual({
      code: 1,
      output: expect.stringMatching(/^[^\n]*is not empty[^\n]*--replace[^\n]*\n$/),
    });
    await appendFile(file, 'x');
    expect(await command(['restore', '--', file], join(dataDir, '../other'))).toEqual({
      code: 1,
      output: expect.stringMatching(/^[^\n]*cut off or changed[^\n]*\n$/),
    });
  },
  300_000,
);

/** Asks as the browser of a super administrator does. */
async function asker(program: WholeProgram) {
  const headers = { authorization: `Bearer ${await signedIn(program)}`, 'content-type': 'application/json' };
  return (method: string, path: string, body?: object) =>
    fetch(`${program.url}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Rotates the key as the screen does. Resolves with the id of the key before, when nothing needs it any more. */
async function rotateOnScreen(program: WholeProgram): Promise<string> {
  const ask = await asker(program);
  expect((await ask('POST', rotateSecretKey.path, { confirmation: 'rotate' })).status).toBe(200);
  const previous = async () => secretKey.parse((await (await ask('GET', getSecretKey.path)).json()).data).previous;
  await expect.poll(async () => (await previous())?.isNeeded).toBe(false);
  return (await previous())?.id ?? '';
}

/** Makes a backup as the screen does; resolves with the command that restores it, of which `npm run` is given what follows it. */
async function backUpOnScreen(program: WholeProgram): Promise<{ restore: string[] }> {
  const ask = await asker(program);
  const listed = async () => portalBackups.parse((await (await ask('GET', listPortalBackups.path)).json()).data);
  expect((await ask('POST', startPortalBackup.path)).status).toBe(200);
  await expect.poll(async () => (await listed()).backups.length).toBe(1);
  await expect.poll(async () => (await listed()).running).toBeNull();
  const [{ name = '' } = {}] = (await listed()).backups;
  const path = preparePortalRestore.path.replace('{name}', name);
  const prepared = await (await ask('POST', path, { confirmation: 'replace' })).json();
  const command: string = prepared.data.commands[0].command;
  const [, file = ''] = / -- '([^']+)' --replace$/.exec(command) ?? [];
  return { restore: ['restore', '--', file, '--replace'] };
}

test.runIf(isLinux)(
  'a backup that was made on the screen brings the portal back as it was then, with the key that is not in it, also after a rotation',
  async () => {
    const serve = [process.execPath, 'bootstrap/run.js', 'serve'];
    const program = await startWholeProgram(serve);
    const address = await setUp(program);
    const report = (number: number) => {
      const startedAt = new Date(Date.now() - 86_400_000 + number * 60_000).toISOString();
      const run = { job: `job ${number}`, startedAt, durationMs: 1000, result: 'Success', message: 'ok' };
      return fetch(address, { method: 'POST', body: JSON.stringify(run) });
    };
    for (const number of [1, 2, 3]) await report(number);
    const { restore } = await backUpOnScreen(program);
    for (const number of [4, 5]) await report(number);
    expect(await countRuns(program)).toBe(5);
    expect((await readFile(restore[2] ?? '')).includes(await readFile(join(program.dataDir, 'secret')))).toBe(false);
    const previousKey = await rotateOnScreen(program);
    // The portal still runs: nothing is touched.
    const refused = await command(restore, program.dataDir);
    expect(refused).toEqual({ code: 1, output: expect.stringContaining(program.dataDir) });
    expect(await countRuns(program)).toBe(5);
    program.outer.kill('SIGTERM');
    expect(await leftAfter(program, 10_000)).toEqual([]);

    const restored = await command(restore, program.dataDir);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining(`is restored to ${program.dataDir}`) });
    expect(restored.output).toContain(`The key that it needs is ${previousKey}, which this machine has.`);
    // What was restored is of the key before the rotation, which is made again.
    const again = await startWholeProgram(serve, { dataDir: program.dataDir });
    expect(await countRuns(again)).toBe(3);
  },
  300_000,
);

test('the commands say how they are used, and leave the server of DATABASE_URL to its own tools', async () => {
  const dataDir = await testDataDir();
  const usage = { code: 1, output: 'Use it like this: npm run backup -- FILE [--with-secret]\n' };
  expect(await command(['backup'], dataDir)).toEqual(usage);
  expect(await command(['backup', '--', 'a', '--fast'], dataDir)).toEqual(usage);
  const none = await command(['backup', '--', 'a'], dataDir);
  expect(none).toEqual({
    code: 1,
    output: `There is no database in ${dataDir}. Set DATA_DIR to the data folder of the program.\n`,
  });
}, 120_000);
