import { beforeAll, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

let tenant: RunningTenant;
let commandLine: CommandLine;
/** Of two mailboxes. */
let backup: string[] = [];

/** A tenant that takes its time, so that there is something to interrupt. */
beforeAll(async () => {
  const opened = await openTenantCommandLine({ latencyMs: 30 });
  ({ tenant, commandLine } = opened);
  const persons = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox).slice(0, 2);
  const include = persons.flatMap(({ mail }) => ['--include', `user:${mail}`]);
  backup = ['backup', '--kinds', 'mailbox', '--json', ...include];
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);
const UNDER_WAY = /"type":"progress".*"items":[1-9]\d{2,}/;

test('ends in order at the first Ctrl-C: what was read is committed, and the next run completes it', async () => {
  await commandLine.makeRepository();
  const started = commandLine.start(backup);
  await started.line(UNDER_WAY);
  started.signal('SIGINT');
  const stopped = await started.ended;
  expect(stopped).toMatchObject({ exitCode: 130, problems: '' });
  expect(stopped.lines.at(-1)).toEqual({ type: 'end', exitCode: 130, seconds: expect.any(Number) });
  const result = stopped.lines.find(({ type }) => type === 'result');
  expect(result).toMatchObject({ outcome: 'Stopped' });
  const next = await run(...backup);
  expect(next.exitCode).toBe(0);
  expect((await run('verify', '--full')).exitCode).toBe(0);
  const address = tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.mail;
  const other = `${commandLine.folder}/whole`;
  const whole = ['-r', other];
  await commandLine.makeRepository(other);
  await run(...backup, ...whole);
  const inbox = async (...repository: string[]) => {
    const { lines } = await run(
      'browse',
      '--object',
      String(address),
      '--path',
      'Inbox',
      '--limit',
      '1000',
      '--json',
      ...repository,
    );
    return lines.map(({ id, name, bytes }) => [id, name, bytes]);
  };

  expect(await inbox()).toEqual(await inbox(...whole));
  expect((await inbox()).length).toBeGreaterThan(10);
}, 240_000);

test('ends at once at the second Ctrl-C, and the next run takes over', async () => {
  const folder = `${commandLine.folder}/twice`;
  const repository = ['-r', folder];
  await commandLine.makeRepository(folder);
  const started = commandLine.start([...backup, ...repository]);
  await started.line(UNDER_WAY);
  started.signal('SIGINT');
  await started.line(/"code":"stopping"/);
  // One that follows at once is the same request, passed on by the program that started this one; an impatient one comes later.
  const again = setInterval(() => started.signal('SIGINT'), 100);
  expect((await started.ended.finally(() => clearInterval(again))).exitCode).toBe(130);
  expect((await run('verify', ...repository)).exitCode).toBe(0);
  const next = await run(...backup, ...repository);
  // Its locks and claims are still there; on the same machine its process is seen to be gone.
  expect(next.exitCode).toBe(0);
}, 240_000);

test('lets two backups of the same mailboxes run at once: what one reads the other leaves alone, and says so', async () => {
  const folder = `${commandLine.folder}/both`;
  const repository = ['-r', folder];
  await commandLine.makeRepository(folder);
  const first = commandLine.start([...backup, ...repository, '--time-limit', '5']);
  await first.line(UNDER_WAY);
  // The first one waits for the tenant until the second has come and gone.
  tenant.setFaults([{ path: '/$batch', kind: 'hang' }]);
  const second = await run(...backup, ...repository);
  tenant.setFaults([]);
  expect(second.exitCode, JSON.stringify(second.lines.slice(-5))).toBe(1);
  const problem = second.lines.find(({ type }) => type === 'problem');
  expect(String(problem?.['message'])).toMatch(/another|other run|works on/i);
  const { exitCode, lines } = await first.ended;
  expect(exitCode, JSON.stringify(lines.slice(-5))).toBe(0);
  expect((await run(...backup, ...repository)).exitCode).toBe(0);
  expect((await run('verify', '--full', ...repository)).exitCode).toBe(0);
}, 240_000);

test('asks a tenant again that did not answer in time, and lets itself be stopped while it waits', async () => {
  tenant.setFaults([{ path: '/users', kind: 'hang', times: 1 }]);
  const once = await run('tenant', 'objects', '--kinds', 'mailbox', '--time-limit', '1', '--json');
  expect(once.exitCode).toBe(0);
  tenant.setFaults([{ path: '/users', kind: 'hang' }]);
  tenant.resetRequests();
  const started = commandLine.start(['tenant', 'objects', '--json', '--time-limit', '600']);
  await expect.poll(() => tenant.requests().total).toBeGreaterThan(0);
  started.signal('SIGINT');
  const stopped = await started.ended;
  tenant.setFaults([]);
  expect(stopped.exitCode).toBe(130);
  expect(stopped.out).not.toMatch(/\\n\s+at /);
}, 60_000);
