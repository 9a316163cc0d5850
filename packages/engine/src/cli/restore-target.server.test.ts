import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RunningTenant, startTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 120_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let [ada, other] = [
  { id: '', address: '' },
  { id: '', address: '' },
];

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  const people = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox);
  const [one, two] = people.map(({ id, userPrincipalName }) => ({ id, address: userPrincipalName }));
  if (one === undefined || two === undefined) throw new Error('The tenant has no two people.');
  [ada, other] = [one, two];
  await commandLine.makeRepository();
  const { exitCode, problems } = await run('backup', '--kinds', 'mailbox,drive', '--include', `user:${ada.address}`);
  expect(exitCode, problems).toBe(0);
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);
const restore = (...args: string[]) => run('restore', '--object', `mailbox/${ada.address}`, ...args);

describe('Whom a restore goes into', () => {
  test('is named with the organization where no user is called so, and what to check', async () => {
    const { exitCode, problems, out } = await restore('--to', 'unknown@contoso.example');
    expect([exitCode, out]).toEqual([1, '']);
    expect(problems).toBe(
      `The user 'unknown@contoso.example' is not found in the organization ${tenant.tenantId}. Correct it: it is to be the id or address of a user. Check --to, and --tenant, which says in which organization; 'tenant objects' lists what there is.\n`,
    );
  });

  test.each(['unknown@contoso.example', 'b!nothing'])('is said of drives too: %s', async (to) => {
    const { exitCode, problems } = await run('restore', '--object', `drive/${ada.address}`, '--to', to);
    expect(exitCode).toBe(1);
    expect(problems).toMatch(
      /^The drive '.*' is not found in the organization .*the address of a user who has a OneDrive/,
    );
  });

  test('is asked for where the one it was backed up from is there no more', async () => {
    const empty = await startTenant({ size: 'empty', seed: 77 });
    const { clientId, clientSecret: secret } = empty.application;
    const file = await commandLine.writeTenant(empty, { clientId, secret }, 'empty.json');
    const { exitCode, problems } = await restore('--tenant', file);
    await empty.stop();
    expect(exitCode).toBe(1);
    expect(problems).toMatch(
      /^The user that '.*' was backed up from is not found in the organization .* any more\. Choose where it is to go: .*--to says where/,
    );
  });
});

describe('While Microsoft 365 takes no more requests', () => {
  const into = ['restore', '--into', 'Aside', '--conflict', 'keep-both', '--object'];

  beforeEach(() =>
    tenant.setFaults([{ kind: 'throttle', method: 'POST', path: '/users/*', parameters: { retryAfterSeconds: 600 } }]),
  );
  afterEach(() => tenant.setFaults([]));

  test('a restore says without a terminal how long it waits, for whom, and that it continues automatically', async () => {
    const started = commandLine.start([...into, `mailbox/${ada.address}`]);
    await started.line(/^Waiting \d+ min for Microsoft 365 \(organization .*\), .*It continues automatically\.$/);
    started.signal('SIGKILL');
    const { out, problems } = await started.ended;
    expect(out).toBe('');
    expect(problems.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a second one into that mailbox is refused at once, by whatever it calls it, until the first has ended or died', async () => {
    const args = [...into, `mailbox/${ada.address}`, '--json', '--to'];
    const first = commandLine.start([...args, other.address]);
    const wait = JSON.parse(await first.line(/"type":"wait"/));
    expect(wait).toMatchObject({
      message: expect.stringContaining('It continues automatically'),
      seconds: expect.any(Number),
    });
    const second = await run(...args, other.id);
    expect(second.exitCode).toBe(1);
    expect(second.lines.find(({ type }) => type === 'problem')).toMatchObject({
      code: 'locked',
      isRetryable: true,
      message: expect.stringMatching(
        /Another restore \(.*process \d+ on .*\) is writing into the mailbox of .*Wait until that one has ended/,
      ),
    });
    first.signal('SIGKILL');
    await first.ended;
    tenant.setFaults([]);
    const again = await run(...args, other.id);
    expect(again.lines.findLast(({ type }) => type === 'result')).toMatchObject({ failed: 0, stoppedBy: null });
    const last = await run(...args, other.address);
    expect(last.lines.findLast(({ type }) => type === 'result')).toMatchObject({ restored: 0, replaced: 0, failed: 0 });
  });
});
