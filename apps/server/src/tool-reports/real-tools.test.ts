import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getJobExecution } from '@keepwatch/contract/executions/job-executions';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

/** Number of files in the folder that is backed up. */
const FILE_COUNT = 3;
const FILE_BYTES = 200_000;
/** When the tests run as root, the tools run as an unprivileged account, as root can read every file. */
const UNPRIVILEGED_ID = 65_534;
const account = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};

let portal: TestPortal;
let operator: Caller;
let folder: string;
let address: string;

beforeAll(async () => {
  portal = await startTestPortal();
  // The tools use the real time.
  portal.clock.now = new Date();
  const companyId = await buildCompany(portal.database);
  const admin = await portal.as('admin');
  const { token } = await admin.call(createIntakeToken, { body: { name: 'Tools', companyId } });
  operator = await portal.as('operator');
  address = `${portal.url}/api/monitoring/intake/${token}`;
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-tools-'));
  await mkdir(join(folder, 'data'));
  for (let index = 0; index < FILE_COUNT; index += 1)
    await writeFile(join(folder, 'data', `file-${index}`), randomBytes(FILE_BYTES));
  if (account.uid !== undefined)
    for (const path of [folder, join(folder, 'data')]) await chown(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Outcome {
  exitCode: number;
  /** Output and error output, as in a pipe with `2>&1`. */
  printed: string;
}

function runTool(command: string, environment: Record<string, string>): Promise<Outcome> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...environment };
  return new Promise((resolve) => {
    execFile('sh', ['-c', `${command} 2>&1`], { env, cwd: folder, ...account }, (error, printed) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, printed });
    });
  });
}

/** Prints a visible line for a tool that is not installed. */
function isInstalled(tool: string): boolean {
  const isThere = spawnSync(tool, ['--help'], { stdio: 'ignore' }).error === undefined;
  if (!isThere) console.warn(`SKIPPED: ${tool} is not installed here, so what it really prints is not tested.`);
  return isThere;
}

/** Sends the output of a tool, as the cron job does, and returns the execution as an operator sees it. */
async function reported({ printed, exitCode }: Outcome, job: string) {
  const response = await fetch(`${address}?job=${job}&exitCode=${exitCode}`, { method: 'POST', body: printed });
  const reply = await response.json();
  expect(reply).toMatchObject({ success: true });
  const { data } = await operator.call(getJobExecution, { params: { id: reply.data[0]._id } });
  return data;
}

async function withUnreadableFile<T>(work: () => Promise<T>): Promise<T> {
  const path = join(folder, 'data', 'file-0');
  await chmod(path, 0);
  try {
    return await work();
  } finally {
    await chmod(path, 0o644);
  }
}

describe.runIf(isInstalled('restic'))('restic', () => {
  const environment = { RESTIC_PASSWORD: 'x' };
  const backup = 'restic -r restic backup --json data';
  beforeAll(async () => expect((await runTool('restic -r restic init', environment)).exitCode).toBe(0));

  it('is shown with its result, duration, bytes and files', async () => {
    const startedAt = Date.now();
    const run = await reported(await runTool(backup, environment), 'restic');
    expect(run).toMatchObject({ result: 'Success', state: 'resolved', jobName: 'restic', processedFiles: FILE_COUNT });
    expect(run.processedBytes).toBe(FILE_COUNT * FILE_BYTES);
    expect(run.transferredBytes).toBeGreaterThan(FILE_COUNT * FILE_BYTES);
    expect(run.durationMs).toBeGreaterThan(0);
    expect(run.durationMs).toBeLessThanOrEqual(Date.now() - startedAt);
    expect(run.message).toMatch(/^Snapshot [0-9a-f]+: 3 files new/);
  });

  it('is a warning when a file could not be read, with the file in the log', async () => {
    const outcome = await withUnreadableFile(() => runTool(backup, environment));
    expect(outcome.exitCode).toBe(3);
    const run = await reported(outcome, 'restic-unread');
    expect(run).toMatchObject({ result: 'Warning', state: 'pending', processedFiles: FILE_COUNT - 1 });
    expect(run.log.map((line) => line.text).join('\n')).toContain('file-0');
  });

  it('is pending when the folder is empty because its disk is not mounted', async () => {
    await runTool('mkdir -p empty', {});
    const saved = await reported(await runTool('restic -r restic backup --json empty', environment), 'restic-empty');
    expect(saved).toMatchObject({ result: 'Success', state: 'pending', anomalies: ['contradiction'] });
  });

  it('is a failure with its message when there is no repository', async () => {
    const run = await reported(await runTool('restic -r nowhere backup --json data', environment), 'restic-lost');
    expect(run).toMatchObject({ result: 'Failed', state: 'pending' });
    expect(run.message).toMatch(/unable to open config file|repository does not exist/i);
  });
});

describe.runIf(isInstalled('borg'))('borg', () => {
  // A zone other than UTC, as borg prints local times without a zone.
  const environment = { BORG_BASE_DIR: '.', BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes', TZ: 'Asia/Kolkata' };
  const create = (archive: string, options = '') => `borg create --json ${options} borg::${archive} data`;
  beforeAll(async () => expect((await runTool('borg init -e none borg', environment)).exitCode).toBe(0));

  it('is shown with its result, duration, bytes and files, in any time zone', async () => {
    const startedAt = Date.now();
    const run = await reported(await runTool(create('first'), environment), 'borg');
    expect(run).toMatchObject({ result: 'Success', state: 'resolved', processedFiles: FILE_COUNT });
    expect(run.processedBytes).toBeGreaterThanOrEqual(FILE_COUNT * FILE_BYTES);
    expect(run.transferredBytes).toBeGreaterThanOrEqual(FILE_COUNT * FILE_BYTES);
    // Borg prints whole seconds.
    expect(Date.parse(run.startedAt)).toBeGreaterThan(startedAt - 2_000);
    expect(Date.parse(run.startedAt)).toBeLessThanOrEqual(Date.now());
    expect(run.message).toMatch(/^Archive first \([0-9a-f]{12}\): 3 files/);
  });

  it('is a warning when a file could not be read, with the file in the log', async () => {
    const outcome = await withUnreadableFile(() => runTool(create('second', '--log-json'), environment));
    expect(outcome.exitCode).toBe(1);
    const run = await reported(outcome, 'borg-unread');
    expect(run).toMatchObject({ result: 'Warning', state: 'pending', processedFiles: FILE_COUNT - 1 });
    expect(run.log.map((line) => line.text).join('\n')).toContain('file-0');
  });

  it('is pending when the folder is empty because its disk is not mounted', async () => {
    await runTool('mkdir -p empty', {});
    const saved = await reported(await runTool('borg create --json borg::empty empty', environment), 'borg-empty');
    expect(saved).toMatchObject({ result: 'Success', state: 'pending', anomalies: ['contradiction'] });
  });

  it('is a failure with its message when the archive already exists', async () => {
    await runTool(create('again'), environment);
    const run = await reported(await runTool(create('again', '--log-json'), environment), 'borg-again');
    expect(run).toMatchObject({ result: 'Failed', state: 'pending' });
    expect(run.message).toContain('already exists');
  });
});
