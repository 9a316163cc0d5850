import { beforeAll, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { startVersioningS3 } from '../store/s3/versioning-s3.fixture.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

let tenant: RunningTenant;
let commandLine: CommandLine;
let bucket: Awaited<ReturnType<typeof startVersioningS3>>;

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  bucket = await startVersioningS3();
  return async () => {
    await bucket.stop();
    await opened.close();
  };
}, 120_000);

const run = (...args: string[]) =>
  commandLine.run(args, {
    KEEPWATCH_REPOSITORY: `s3://bucket/contoso?endpoint=${bucket.endpoint}&lock-days=30`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });

/** Names of objects in the bucket, and whether each is locked. */
const locks = () =>
  new Map([...bucket.keys].map(([key, [version]]) => [key.replace('contoso/', ''), version?.retainUntil]));

/** Fewer than a run would report as a deletion by accident, whose versions a prune leaves for longer. */
const REMOVED_AT_ONCE = 100;

/** Removes messages of a mailbox, so that a pack has little that is needed. Returns whether there were any. */
function removeSomeMail(user: string): boolean {
  const mailbox = tenant.tenant.mailboxes.of(user);
  let removed = 0;
  for (const folder of mailbox.folders.values())
    while (folder.itemCount > 0 && removed < REMOVED_AT_ONCE) {
      const item = mailbox.findItem(folder.numberAt(folder.itemCount - 1));
      if (item === undefined) break;
      mailbox.removeItem(item);
      removed += 1;
    }
  return removed > 0;
}

/** Time passes: what was locked is so no longer. */
function unlock(): void {
  for (const versions of bucket.keys.values()) for (const version of versions) version.retainUntil = undefined;
}

test('a repository with object lock takes backups, keeps locked packs in a prune and says so, and lets go of them afterwards', async () => {
  expect(await run('init')).toMatchObject({ exitCode: 0, problems: '' });
  const [person] = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox);
  const backup = ['backup', '--kinds', 'mailbox', '--include', `user:${person?.mail}`];
  do expect(await run(...backup)).toMatchObject({ exitCode: 0, problems: '' });
  while (removeSomeMail(person?.userPrincipalName ?? ''));
  const stored = [...locks()];
  expect(stored.map(([name]) => name.split('/')[0])).toEqual(expect.arrayContaining(['journals', 'keys', 'packs']));
  for (const [name, until] of stored)
    expect([name, until !== undefined]).toEqual([name, /^(keepwatch-repository|keys|journals|packs)/.test(name)]);

  const packs = () => [...locks().keys()].filter((name) => name.startsWith('packs/')).length;
  const before = packs();
  const pruned = await run('prune', '--keep-days', '0');
  expect(pruned).toMatchObject({
    exitCode: 0,
    problems: '',
    out: expect.stringMatching(/\d+ packs? (is|are) locked against deletion, the last until \d{4}-\d\d-\d\d \d\d:\d\d/),
  });
  const retained = packs();
  expect(retained).toBeGreaterThanOrEqual(before);
  expect((await run('verify', '--full')).exitCode).toBe(0);

  unlock();
  const later = await run('prune', '--keep-days', '0');
  expect(later).toMatchObject({ exitCode: 0, problems: '', out: expect.not.stringContaining('locked') });
  expect(packs()).toBeLessThan(retained);
  expect((await run('verify', '--full')).exitCode).toBe(0);
}, 240_000);
