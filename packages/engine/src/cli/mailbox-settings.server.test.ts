import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { ownSettings } from '../../../sandbox/src/microsoft365/mailbox/own-settings.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { TenantClient } from '../../../sandbox/src/microsoft365/testing/tenant-client.ts';
import type { CommandLine, Ended } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let object = '';
let user = '';
let restore: string[] = [];

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null)?.id ?? '';
  object = `mailbox/${user}`;
  restore = ['restore', '--object', object, '--path', 'Mailbox settings', '--json'];
  await commandLine.makeRepository();
  const ended = await run('backup', '--kinds', 'mailbox', '--include', `user:${user}`);
  expect(ended.exitCode, ended.problems).toBe(0);
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);
const backUp = async () => {
  const { exitCode, problems } = await run('backup', '--kinds', 'mailbox', '--include', `user:${user}`);
  expect(exitCode, problems).toBe(0);
};
const lossesOf = ({ lines }: Ended) => lines.flatMap(({ loss }) => (loss === undefined ? [] : [loss]));

async function send() {
  const client = await TenantClient.signIn(tenant);
  const to = tenant.tenant.directory.users.find(({ id }) => id === user)?.userPrincipalName;
  const message = { subject: 'Hello', toRecipients: [{ emailAddress: { address: to } }] };
  return client.ask('POST', `/users/${user}/sendMail`, { message });
}
const settings = () => ownSettings(tenant.tenant.mailboxes.of(user));
const namesOf = (all: ReadonlyMap<string, Readonly<Record<string, unknown>>>) =>
  [...all.values()].map(({ displayName }) => displayName);

test('shows what a person has set up in a folder of the mailbox', async () => {
  const { lines } = await run('browse', '--object', object, '--path', 'Mailbox settings', '--json');
  const rows = lines.filter(({ type }) => type === 'row').map(({ kind, name }) => `${String(kind)}: ${String(name)}`);
  expect(rows.toSorted()).toEqual([
    'calendar-permission: Grace',
    'calendar-permission: Linus (Urlaub & Ferien)',
    'calendar-permission: My Organization',
    'calendar-permission: My Organization (Urlaub & Ferien)',
    'category: Customers',
    'category: Private',
    'category: 旅行',
    'inbox-rule: From the team',
    'inbox-rule: Invoices',
    'mailbox-settings: General',
  ]);
});

test('saves it as JSON, in a ZIP a file each, and leaves it out of a PST with a word', async () => {
  const json = join(commandLine.folder, 'settings.json');
  expect((await run('export', '--object', object, '--to', json)).exitCode).toBe(0);
  const saved: unknown = JSON.parse(await readFile(json, 'utf8'));
  expect(saved).toMatchObject({
    'mailbox-settings': [{ dateFormat: 'dd.MM.yyyy' }],
    'inbox-rule': expect.arrayContaining([expect.objectContaining({ displayName: 'Invoices' })]),
    category: { length: 3 },
    'calendar-permission': { length: 4 },
  });
  const path = ['--path', 'Mailbox settings'];
  const zip = await run(
    'export',
    '--object',
    object,
    ...path,
    '--to',
    join(commandLine.folder, 'settings.zip'),
    '--json',
  );
  expect(zip.lines.findLast(({ type }) => type === 'result')).toMatchObject({ items: 10, missing: 0 });
  const pst = await run(
    'export',
    '--object',
    object,
    ...path,
    '--to',
    join(commandLine.folder, 'settings.pst'),
    '--json',
  );
  expect(pst.lines.findLast(({ type }) => type === 'result')).toMatchObject({ items: 0, without: 10, missing: 0 });
  expect(pst.exitCode).toBe(0);
  const shown = await run('export', '--object', object, ...path, '--to', join(commandLine.folder, 'shown.pst'));
  expect(shown.out.match(/^Not exported: Mailbox settings \/ /gm)).toHaveLength(10);
  expect(shown.out).toContain(
    'Not exported: Mailbox settings / Invoices: Settings, rules and categories are in no PST.',
  );
});

test('puts back what is gone, leaves what is there, and with replace makes it what it was', async () => {
  const { rules, categories, calendarPermissions } = settings();
  const [rule] = rules.values();
  const [category] = categories.values();
  const grace = [...calendarPermissions.values()].find(({ isRemovable }) => isRemovable === true);
  rules.delete(String(rule?.['id']));
  categories.set(String(category?.['id']), { ...category, color: 'preset20' });
  calendarPermissions.delete(String(grace?.['id']));
  const [holidays] = settings().otherCalendars.values();
  const linus = holidays?.get('TGludXM=');
  holidays?.delete('TGludXM=');
  settings().changed = { dateFormat: 'yyyy-MM-dd', timeZone: 'Tokyo Standard Time' };
  const first = await run(...restore);
  expect(first.lines.findLast(({ type }) => type === 'result')).toMatchObject({ restored: 3, skipped: 7, failed: 0 });
  expect(namesOf(rules)).toEqual(['From the team', 'Invoices']);
  expect([...rules.values()].at(-1)).toMatchObject({ conditions: rule?.['conditions'], actions: rule?.['actions'] });
  expect([...calendarPermissions.values()].at(-1)).toMatchObject({
    emailAddress: grace?.['emailAddress'],
    role: 'read',
  });
  expect([...(holidays?.values() ?? [])].at(-1)).toMatchObject({
    emailAddress: linus?.['emailAddress'],
    role: 'write',
  });
  expect(settings().changed).toMatchObject({ dateFormat: 'yyyy-MM-dd' });
  const replaced = await run(...restore, '--conflict', 'replace');
  expect(replaced.lines.findLast(({ type }) => type === 'result')).toMatchObject({
    replaced: 2,
    skipped: 8,
    failed: 0,
  });
  expect(categories.get(String(category?.['id']))).toMatchObject({ color: category?.['color'] });
  expect(settings().changed).toMatchObject({
    dateFormat: 'dd.MM.yyyy',
    timeZone: expect.not.stringContaining('Tokyo'),
  });
});

test('switches no automatic replies on, says so, and mails nothing', async () => {
  const away = {
    status: 'alwaysEnabled',
    externalAudience: 'all',
    internalReplyMessage: 'Away',
    externalReplyMessage: 'Gone',
  };
  settings().changed = { automaticRepliesSetting: away };
  await backUp();
  settings().changed = { dateFormat: 'yyyy-MM-dd' };
  const ended = await run(...restore, '--conflict', 'replace');
  expect(ended.lines.findLast(({ type }) => type === 'result')).toMatchObject({
    replaced: 1,
    failed: 0,
  });
  expect(lossesOf(ended)).toEqual(['automatic replies switched on: they came back off, with their texts']);
  expect(ended.exitCode).toBe(3);
  expect(settings().changed).toMatchObject({
    dateFormat: 'dd.MM.yyyy',
    automaticRepliesSetting: { ...away, status: 'disabled' },
  });
  expect((await send()).status).toBe(202);
  expect(tenant.tenant.automaticReplies.splice(0)).toEqual([]);
});

test('leaves automatic replies on that are as they were, and switches those off that were off', async () => {
  const away = {
    status: 'alwaysEnabled',
    externalAudience: 'all',
    internalReplyMessage: 'Away',
    externalReplyMessage: '',
  };
  settings().changed = { automaticRepliesSetting: away };
  await backUp();
  settings().changed = { automaticRepliesSetting: away, timeZone: 'Tokyo Standard Time' };
  const first = await run(...restore, '--conflict', 'replace');
  expect(first.lines.findLast(({ type }) => type === 'result')).toMatchObject({ replaced: 1, failed: 0 });
  expect(lossesOf(first)).toEqual([]);
  expect(settings().changed).toMatchObject({
    automaticRepliesSetting: away,
    timeZone: expect.not.stringContaining('Tokyo'),
  });
  settings().changed = {};
  await backUp();
  settings().changed = { automaticRepliesSetting: { ...away, internalReplyMessage: 'Pay here' } };
  const second = await run(...restore, '--conflict', 'replace');
  expect(second.lines.findLast(({ type }) => type === 'result')).toMatchObject({ replaced: 1, failed: 0 });
  expect(lossesOf(second)).toEqual([]);
  expect(settings().changed['automaticRepliesSetting']).toMatchObject({ status: 'disabled', internalReplyMessage: '' });
});

test('takes away the conditions and exceptions that a rule has got since', async () => {
  const { rules } = settings();
  const [rule = {}] = rules.values();
  const id = String(rule['id']);
  rules.set(id, {
    ...rule,
    exceptions: { sentToMe: true },
    actions: { forwardTo: [{ emailAddress: { address: 'x@evil.example' } }] },
  });
  const ended = await run(...restore, '--conflict', 'replace');
  expect(ended.lines.findLast(({ type }) => type === 'result')).toMatchObject({ replaced: 1, failed: 0 });
  expect(lossesOf(ended)).toEqual([]);
  expect(rules.get(id)).toEqual(rule);
});

test('says which settings Microsoft 365 did not make what they were', async () => {
  settings().changed = { workingHours: { daysOfWeek: ['monday'] } };
  const ended = await run(...restore, '--conflict', 'replace');
  expect(ended.lines.findLast(({ type }) => type === 'result')).toMatchObject({
    failed: 0,
  });
  expect(lossesOf(ended)).toEqual(['its earlier ‘workingHours’: Microsoft 365 left it as it is']);
  settings().changed = {};
});

test('a rule that no program can change fails by name', async () => {
  const { rules } = settings();
  const [rule = {}] = rules.values();
  const id = String(rule['id']);
  rules.set(id, { ...rule, isReadOnly: true, actions: { delete: true } });
  const ended = await run(...restore, '--conflict', 'replace');
  expect(ended.lines.findLast(({ type }) => type === 'result')).toMatchObject({ replaced: 0, failed: 1 });
  expect(ended.lines.find(({ type, reason }) => type === 'problem' && reason !== undefined)).toMatchObject({
    name: rule['displayName'],
    reason: expect.stringContaining('Outlook alone can change it'),
  });
  rules.set(id, rule);
});

test('leaves settings out of what goes into a folder or another mailbox, and says so', async () => {
  const other = tenant.tenant.directory.users.findLast(({ mailbox }) => mailbox !== null);
  for (const to of [
    ['--into', 'Restored'],
    ['--to', other?.id ?? ''],
  ]) {
    const { lines, exitCode } = await run('restore', '--object', object, '--path', 'Mailbox settings', ...to, '--json');
    expect(lines.findLast(({ type }) => type === 'result')).toMatchObject({ restored: 0, skipped: 10, failed: 0 });
    expect(exitCode).toBe(0);
  }
});

test('a setting that changed is another version, and one that is gone is so in the next backup', async () => {
  const [, category] = settings().categories.values();
  settings().categories.delete(String(category?.['id']));
  await run('backup', '--kinds', 'mailbox', '--include', `user:${user}`);
  const { lines } = await run('browse', '--object', object, '--path', 'Mailbox settings', '--json');
  const names = lines.filter(({ type }) => type === 'row').map(({ name }) => name);
  expect(names).toHaveLength(9);
  expect(names).not.toContain(category?.['displayName']);
});

test('automatic replies that are off make no version in each run, whatever time is given out for them', async () => {
  const versions = async () => {
    const { lines } = await run('versions', '--object', object, '--item', 'mailbox-settings/mailbox', '--json');
    return lines.filter(({ type }) => type === 'row').length;
  };
  await backUp();
  const before = await versions();
  tenant.advance(3_600_000);
  await backUp();
  expect(await versions()).toBe(before);
});
