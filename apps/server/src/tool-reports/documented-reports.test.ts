import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { createIntakeToken, TEST_TOOL } from '@keepwatch/contract/tool-reports/tool-reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

/** The texts of the documentation, which are those of the portal (sources/tool-reports/report-lines.test.ts), really executed. */
let documentation: string;
let portal: TestPortal;
let operator: Caller;
let folder: string;
let address: string;

beforeAll(async () => {
  portal = await startTestPortal();
  // The tools use the real time.
  portal.clock.now = new Date();
  const companyId = await buildCompany(portal.database);
  const { token } = await (await portal.as('admin')).call(createIntakeToken, { body: { name: 'Tools', companyId } });
  operator = await portal.as('operator');
  address = `${portal.url}/api/monitoring/intake/${token}`;
  documentation = await readFile(join(import.meta.dirname, '../../../../docs/intake.md'), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-documented-'));
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'file'), 'content');
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A text of the documentation with the address, the job and the folders of this test. */
function adapted(text: string, job: string): string {
  return text
    .replaceAll('https://portal.example.com/api/monitoring/intake/<token>', address)
    .replaceAll('job=home', `job=${job}`)
    .replaceAll("name='home'", `name='${job}'`)
    .replaceAll('::home-', `::${job}-`)
    .replaceAll('/path/to/data', join(folder, 'data'))
    .replaceAll('/run/', `${folder}/`)
    .replaceAll('/var/log/vzdump', folder);
}

/** The line or block of the documentation that this is found in. */
function documented(part: RegExp): string {
  const blocks = documentation.matchAll(/^```\n(?<block>[\s\S]*?)\n```$|^ {4}(?<line>.+)$/gm);
  for (const { groups } of blocks) {
    const text = groups?.['block'] ?? groups?.['line'] ?? '';
    if (part.test(text)) return text;
  }
  throw new Error(`The documentation has no text with ${part}.`);
}

/** Runs a program to its end; gives its exit code. */
function run(program: string, given: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...environment };
  return new Promise((resolve) => {
    execFile(program, given, { env, cwd: folder }, (error) =>
      resolve(typeof error?.code === 'number' ? error.code : 0),
    );
  });
}

async function runOf(job: string): Promise<JobExecution | undefined> {
  portal.clock.now = new Date(Date.now() + 1_000);
  const query = { filter: { search: job, state: 'all' as const } };
  return (await operator.call(listJobExecutions, { query })).data.find(({ jobName }) => jobName === job);
}

/** Prints a visible line for a program that is not installed. */
function isInstalled(program: string): boolean {
  const isThere = spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!isThere)
    console.warn(`SKIPPED: ${program} is not installed here, so the documented text for it is not executed.`);
  return isThere;
}

const RESTIC = { RESTIC_REPOSITORY: 'restic', RESTIC_PASSWORD: 'x' };
const withoutSchedule = (line: string) => line.replace('0 2 * * * ', '');

describe('the line of the crontab', () => {
  it.runIf(isInstalled('restic'))('for restic reports a backup as one of restic', async () => {
    expect(await run('restic', ['init'], RESTIC)).toBe(0);
    const line = adapted(withoutSchedule(documented(/^0 2 .* restic backup/)), 'cron-restic');
    expect(await run('sh', ['-c', line], RESTIC)).toBe(0);
    expect(await runOf('cron-restic')).toMatchObject({ tool: 'restic', result: 'Success', processedFiles: 1 });
  });

  it.runIf(isInstalled('borg'))('for borg reports a backup as one of borg', async () => {
    const environment = { BORG_REPO: 'borg', BORG_BASE_DIR: folder, BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' };
    expect(await run('borg', ['init', '-e', 'none', 'borg'], environment)).toBe(0);
    const line = adapted(withoutSchedule(documented(/^0 2 .* borg create/)), 'cron-borg');
    expect(await run('sh', ['-c', line], environment)).toBe(0);
    expect(await runOf('cron-borg')).toMatchObject({ tool: 'borg', result: 'Success', processedFiles: 1 });
  });

  it('for anything else reports a failure where the backup fails', async () => {
    const line = withoutSchedule(documented(/^0 2 .*\/path\/to\/backup/));
    await run('sh', ['-c', adapted(line, 'cron-other').replace('/path/to/backup', 'true')]);
    await run('sh', ['-c', adapted(line, 'cron-failed').replace('/path/to/backup', 'false')]);
    expect(await runOf('cron-other')).toMatchObject({ tool: null, result: 'Success' });
    expect(await runOf('cron-failed')).toMatchObject({ result: 'Failed' });
  });

  it('to try it reports a test run', async () => {
    expect(await run('sh', ['-c', adapted(documented(/^s=.*Test run/), 'tried')])).toBe(0);
    expect(await runOf('tried-test')).toMatchObject({ tool: TEST_TOOL, result: 'Success' });
  });
});

describe('the service of systemd', () => {
  const unit = () => documented(/\[Service\]/);

  it.runIf(isInstalled('restic'))('runs what the crontab runs', async () => {
    const [, quoted = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit()) ?? [];
    const line = quoted.replaceAll('$$', '$').replaceAll('%%', '%').replaceAll('\\\\', '\\');
    expect(line).toBe(withoutSchedule(documented(/^0 2 .* restic backup/)));
  });

  it.runIf(isInstalled('systemd-analyze'))('and its timer are accepted by systemd', async () => {
    const timer = documented(/\[Timer\]/);
    await writeFile(join(folder, 'backup-home.service'), unit());
    await writeFile(join(folder, 'backup-home.timer'), timer);
    expect(await run('systemd-analyze', ['verify', 'backup-home.service', 'backup-home.timer'])).toBe(0);
  });
});

describe('the hook of Proxmox VE', () => {
  /** Calls the hook as vzdump does. */
  async function hook(guest: string, phases: readonly string[], environment: Record<string, string> = {}) {
    await writeFile(join(folder, 'hook'), adapted(documented(/^#!\/bin\/bash/), 'pve'));
    for (const phase of phases) {
      const given = phase.startsWith('job-') ? [phase] : [phase, 'snapshot', guest];
      expect(await run('bash', ['hook', ...given], { VMTYPE: 'qemu', HOSTNAME: 'web "1"', ...environment })).toBe(0);
    }
  }

  it('reports a guest that was backed up, with the size of its archive', async () => {
    await writeFile(join(folder, 'archive'), 'x'.repeat(1_234));
    await hook('101', ['job-init', 'job-start', 'backup-start', 'pre-stop', 'backup-end', 'log-end', 'job-end'], {
      TARGET: join(folder, 'archive'),
    });
    expect(await runOf('pve-101')).toMatchObject({
      ...{ tool: 'Proxmox VE', result: 'Success', sourceGroup: 'managed-servers' },
      ...{ sizeBytes: 1_234, message: 'qemu 101, web "1"' },
    });
  });

  it('reports a guest that was not, with the end of its log', async () => {
    await writeFile(join(folder, 'qemu-102.log'), 'INFO: begins\nERROR: C:\\ is "full"\n\tERROR: Backup failed\n');
    await hook('102', ['backup-start', 'backup-abort', 'log-end']);
    const failed = await runOf('pve-102');
    expect(failed).toMatchObject({ tool: 'Proxmox VE', result: 'Failed' });
    expect(failed?.message).toBe('INFO: begins ERROR: C:\\ is "full"  ERROR: Backup failed');
  });

  it('never fails a backup, also where the portal is not reached', async () => {
    const reached = address;
    address = 'http://127.0.0.1:9/nowhere';
    await hook('103', ['backup-start', 'backup-end']);
    address = reached;
  });
});

describe('the script for the task of Windows', () => {
  it.runIf(isInstalled('pwsh'))('is understood by PowerShell', async () => {
    for (const text of [documented(/Invoke-RestMethod/), documented(/Register-ScheduledTask/)]) {
      await writeFile(join(folder, 'script.ps1'), text);
      const parse = `$e = $null; [void][Management.Automation.Language.Parser]::ParseFile('script.ps1', [ref]$null, [ref]$e); exit $e.Count`;
      expect(await run('pwsh', ['-NoProfile', '-Command', parse])).toBe(0);
    }
  });
});
