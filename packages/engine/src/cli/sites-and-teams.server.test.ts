import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { Site } from '../../../sandbox/src/microsoft365/sites/site.ts';
import type { Team } from '../../../sandbox/src/microsoft365/teams/team.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { filledSiteOf } from '../testing/graph/graph-site.ts';
import { connectTo } from '../testing/graph/graph-tenant.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let site: { id: string; inside: Site };
let team: { id: string; inside: Team };
/** Of the person whose chats are backed up. */
let address = '';

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  const source = openGraphSource(connectTo(tenant));
  const { object, inside } = await filledSiteOf(source, tenant);
  site = { id: object.id, inside };
  const [first] = await objectsIn(source, 'team');
  const found = tenant.tenant.teams.find(first?.id ?? '');
  if (first === undefined || found === undefined) throw new Error('The tenant has no team.');
  team = { id: first.id, inside: found };
  const [chats] = await objectsIn(source, 'chats');
  address = chats?.address ?? '';
  await commandLine.makeRepository();
  const include = [`site:${site.id}`, `team:${team.id}`, `user:${address}`].flatMap((one) => ['--include', one]);
  const { exitCode, problems } = await run('backup', '--kinds', 'site,team,chats', ...include);
  // What SharePoint gives to no application with a secret is reported, and is no failure.
  expect({ exitCode, problems }).toMatchObject({
    exitCode: 0,
    problems: expect.stringMatching(
      /^[^\n]* files attached to rows of [^\n]*\n[^\n]* roles of persons and groups [^\n]*\n$/,
    ),
  });
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);
const resultOf = (lines: Record<string, unknown>[]) => lines.findLast(({ type }) => type === 'result');
const listNamed = (name: string) => {
  const list = [...site.inside.lists.values()].find(({ facts }) => facts.displayName === name);
  if (list === undefined) throw new Error(`There is no list ${name}.`);
  return list;
};

/** Names in a ZIP, by a program that knows nothing of us. */
function namesIn(path: string): string[] {
  return execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n');
}

test('exports a list as CSV and as JSON, by the ending of the file or by --format', async () => {
  const [csv, other] = [join(commandLine.folder, 'inventory.csv'), join(commandLine.folder, 'inventory.txt')];
  const list = ['export', '--object', `site/${site.id}`, '--path', 'Inventory', '--to'];
  expect(await run(...list, csv)).toMatchObject({ exitCode: 0, problems: '' });
  const { length } = listNamed('Inventory').items;
  expect((await readFile(csv, 'utf8')).match(/^\d+,/gm)).toHaveLength(length);
  expect((await run(...list, other, '--format', 'json')).exitCode).toBe(0);
  expect(JSON.parse(await readFile(other, 'utf8')).items).toHaveLength(length);
});

test('exports all lists of a site, the posts of a team and the chats of a person as ZIP', async () => {
  const exported = async (object: string) => {
    const path = join(commandLine.folder, `${object.slice(0, 4)}.zip`);
    expect(await run('export', '--object', object, '--to', path)).toMatchObject({ exitCode: 0, problems: '' });
    return namesIn(path);
  };
  expect(await exported(`site/${site.id}`)).toEqual(expect.arrayContaining(['Inventory.csv', 'Inventory.json']));
  expect(await exported(`team/${team.id}`)).toEqual(expect.arrayContaining(['index.html', 'channel-1.html']));
  expect(await exported(`chats/${tenant.tenant.directory.user(address).id}`)).toEqual(
    expect.arrayContaining(['index.html', 'chat-1.html']),
  );
});

test('refuses a form that an object does not have before a file is begun', async () => {
  const path = join(commandLine.folder, 'site.pst');
  const refused = await run('export', '--object', `site/${site.id}`, '--to', path);
  expect(refused).toMatchObject({ exitCode: 2, problems: expect.stringContaining('Choose ZIP.') });
  const whole = await run('export', '--object', `site/${site.id}`, '--to', path, '--format', 'csv');
  expect(whole).toMatchObject({ exitCode: 2, problems: expect.stringContaining('contains one list') });
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

test('restores into a site what was deleted, and the second time nothing', async () => {
  const list = listNamed('Inventory');
  const [deleted] = list.items;
  const before = list.items.map(({ fields }) => fields['Title']).toSorted();
  if (deleted === undefined) throw new Error('The list is empty.');
  list.remove(deleted);
  const restore = ['restore', '--object', `site/${site.id}`, '--json'];
  const plan = await run(...restore, '--plan');
  expect(resultOf(plan.lines)).toMatchObject({ created: 1, replaced: 0 });
  expect(list.items).toHaveLength(before.length - 1);
  expect(resultOf((await run(...restore)).lines)).toMatchObject({ outcome: 'Warning', restored: 1, failed: 0 });
  expect(list.items.map(({ fields }) => fields['Title']).toSorted()).toEqual(before);
  expect(resultOf((await run(...restore)).lines)).toMatchObject({ restored: 0, replaced: 0 });
});

test('restores a list of its own, beside the one that is there', async () => {
  const args = ['--path', 'Categories', '--into', 'Restored', '--json'];
  const { exitCode, lines } = await run('restore', '--object', `site/${site.id}`, ...args);
  expect({ exitCode, result: resultOf(lines) }).toMatchObject({
    exitCode: 3,
    result: { outcome: 'Warning', failed: 0 },
  });
  const { items } = listNamed('Categories (Restored)');
  expect(items.map(({ fields }) => fields['Title']).toSorted()).toEqual(
    listNamed('Categories')
      .items.map(({ fields }) => fields['Title'])
      .toSorted(),
  );
});

test('restores posts into new channels by their authors, and opens the channels to people in the end', async () => {
  const before = [...team.inside.channels.values()];
  const { exitCode, lines } = await run('restore', '--object', `team/${team.id}`, '--json');
  expect({ exitCode, result: resultOf(lines) }).toMatchObject({
    exitCode: 3,
    result: { outcome: 'Warning', failed: 0 },
  });
  const made = [...team.inside.channels.values()].filter((channel) => !before.includes(channel));
  expect(made.map(({ displayName }) => displayName).toSorted()).toEqual(
    before.map(({ displayName }) => `${displayName} (restored)`).toSorted(),
  );
  expect(new Set(made.map(({ migration }) => migration?.mode))).toEqual(new Set(['completed']));
});

test('says of chats that they are exported and not restored', async () => {
  const { exitCode, problems } = await run('restore', '--object', `chats/${tenant.tenant.directory.user(address).id}`);
  expect({ exitCode, problems }).toMatchObject({
    exitCode: 2,
    problems: expect.stringContaining('An export saves them'),
  });
});
