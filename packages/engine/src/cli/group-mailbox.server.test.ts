import { beforeAll, expect, test, vi } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { groupMailboxOf } from '../testing/graph/graph-mailbox.ts';
import { connectTo } from '../testing/graph/graph-tenant.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let group = '';

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  group = (await groupMailboxOf(openGraphSource(connectTo(tenant)))).id;
  expect(await run('init')).toMatchObject({ exitCode: 0, problems: '' });
  const without = tenant.tenant.directory.users.flatMap(({ id }) => ['--exclude', `user:${id}`]);
  const ended = await run('backup', '--kinds', 'mailbox', '--include', `group:${group}`, ...without);
  expect(ended.exitCode, ended.problems).toBe(0);
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);

test('shows the conversations of a group as folders, by their topics', async () => {
  const { lines } = await run('browse', '--object', `mailbox/${group}`, '--json');
  const names = lines.filter(({ type }) => type === 'row').map(({ name }) => name);
  const topics = tenant.tenant.groupThreads.of(group).map(({ topic }) => topic.trim() || '(no subject)');
  expect(names.toSorted()).toEqual(topics.toSorted());
});

test('says that no application may restore them as what they were, and puts them into a mailbox when one is given', async () => {
  const restore = ['restore', '--object', `mailbox/${group}`, '--json'];
  const refused = await run(...restore);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(JSON.stringify(refused.lines)).toContain('lets no application write into the conversations of a group');
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
  const done = await run(...restore, '--to', user?.id ?? '', '--into', 'Group');
  const posts = tenant.tenant.groupThreads.of(group).flatMap((thread) => thread.posts);
  // Files on posts are given to no application: a copy lacks them, and says so.
  const withFiles = posts.filter(({ hasAttachments }) => hasAttachments);
  expect(done.lines.flatMap(({ type, losses }) => (type === 'problem' ? [losses] : []))).toEqual(
    withFiles.map(() => ['its attachments as the source listed them']),
  );
  expect(done.lines.findLast(({ type }) => type === 'result')).toMatchObject({
    outcome: 'Warning',
    restored: posts.length,
    failed: 0,
  });
  const again = await run(...restore, '--to', user?.id ?? '', '--into', 'Group');
  expect(again.lines.findLast(({ type }) => type === 'result')).toMatchObject({ restored: 0, skipped: posts.length });
});
