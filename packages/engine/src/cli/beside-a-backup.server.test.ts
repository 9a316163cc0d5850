import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { CommandLine } from './testing/command-line.ts';

let tenant: RunningTenant;
let commandLine: CommandLine;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false });
  // Without a database of its own: all commands share the embedded one.
  commandLine = await CommandLine.open();
  const { clientId, clientSecret } = tenant.application;
  await commandLine.writeTenant(tenant, { clientId, secret: clientSecret });
});
afterAll(async () => {
  await commandLine.close();
  await tenant.stop();
});

test('lists and browses while a backup uses the embedded database, and other commands wait for its end', async () => {
  const address = tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.mail ?? '';
  const backup = ['backup', '--kinds', 'mailbox', '--include', `user:${address}`, '--json'];
  await commandLine.makeRepository();
  expect((await commandLine.run(backup)).exitCode).toBe(0);
  tenant.setFaults([
    { path: '/$batch', kind: 'hang' },
    { path: '/users/*', kind: 'hang' },
  ]);
  tenant.resetRequests();
  const running = commandLine.start(backup);
  await expect.poll(() => tenant.requests().total, { timeout: 60_000 }).toBeGreaterThan(0);
  const points = await commandLine.run(['restore-points', '--json']);
  expect(points.exitCode, points.out + points.problems).toBe(0);
  expect(points.lines.filter(({ type }) => type === 'row')).toHaveLength(1);
  const folders = await commandLine.run(['browse', '--object', address]);
  expect(folders).toMatchObject({ exitCode: 0, out: expect.stringContaining('Inbox') });
  const verify = commandLine.start(['verify']);
  expect(await verify.line(/^Waiting/)).toMatch(/process \d+.*uses .*data.*Ctrl-C is safe/);
  running.signal('SIGINT');
  expect((await running.ended).exitCode).toBe(130);
  tenant.setFaults([]);
  expect(await verify.ended).toMatchObject({ exitCode: 0, out: expect.stringContaining('no fault found') });
}, 240_000);
