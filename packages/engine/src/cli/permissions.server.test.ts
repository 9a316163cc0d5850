import { generate } from 'selfsigned';
import { beforeAll, expect, test, vi } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { PERMISSIONS, type Permission, SHAREPOINT_PERMISSIONS } from '../source/graph/permissions.ts';
import { filledSiteOf } from '../testing/graph/graph-site.ts';
import { connectTo } from '../testing/graph/graph-tenant.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 300_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let objects: Record<string, unknown>[] = [];

beforeAll(async () => {
  // The tenant refuses every call for which none of the published permissions was given, as Graph does.
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  return opened.close;
}, 120_000);

/** The file of an application that has some permissions and no other, of Graph and of SharePoint. */
async function applicationWith(name: string, isGiven: (permission: Permission) => boolean): Promise<string> {
  const namesOf = (all: readonly Permission[]) => all.filter(isGiven).map((one) => one.name);
  const { clientId } = tenant.registerApplication(namesOf(PERMISSIONS), namesOf(SHAREPOINT_PERMISSIONS));
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'keeper' }], { keySize: 2048 });
  tenant.addCertificate(cert, clientId);
  const certificateFile = await commandLine.file(`${name}.pem`, `${key}\n${cert}`);
  return commandLine.writeTenant(tenant, { clientId, certificateFile }, name);
}

test('what the list names for backups is enough for a backup of everything, whole', async () => {
  const file = await applicationWith('backup.json', ({ use }) => use === 'backup');
  await commandLine.makeRepository();
  const { exitCode, lines } = await commandLine.run(['backup', '--tenant', file, '--json']);
  const problems = lines.filter(({ type }) => type === 'problem');
  expect(problems.filter((line) => /permission|may not|grant|\b403\b/i.test(String(line['message'])))).toEqual([]);
  expect(exitCode, JSON.stringify(problems, null, 1)).toBe(0);
  const listed = await commandLine.run(['objects', '--json']);
  objects = listed.lines.filter(({ type }) => type === 'row');
  expect(new Set(objects.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(6);
});

test('what the list names at all is enough to restore everything that can be', async () => {
  const file = await applicationWith('restore.json', () => true);
  const check = await commandLine.run(['tenant', 'check', '--tenant', file]);
  expect(check).toMatchObject({ exitCode: 0, out: expect.stringContaining('every permission') });
  // Not every site has lists.
  const { object: site } = await filledSiteOf(openGraphSource(connectTo(tenant)), tenant);
  const filled = site.name;
  for (const kind of ['mailbox', 'archive', 'drive', 'site', 'team', 'planner']) {
    const ofKind = objects.filter((one) => one['kind'] === kind);
    const object = ofKind.find(({ name }) => name === filled) ?? ofKind[0];
    const args = ['restore', '--tenant', file, '--object', String(object?.['key']), '--into', 'Restored', '--json'];
    const { exitCode, lines } = await commandLine.run(args);
    const problems = lines.filter(({ type }) => type === 'problem');
    expect(
      problems.filter((line) => /permission|may not|\b403\b|consent/i.test(String(line['message']))),
      kind,
    ).toEqual([]);
    expect([0, 3], `${kind}: ${JSON.stringify(problems, null, 1)}`).toContain(exitCode);
    expect(Number(lines.findLast(({ type }) => type === 'result')?.['restored']), kind).toBeGreaterThan(0);
  }
});

test('without one of them that is needed the check names it, and what is missing without it', async () => {
  const file = await applicationWith(
    'less.json',
    ({ name }) => name !== 'Teamwork.Migrate.All' && name !== 'ChannelMember.Read.All',
  );
  const { exitCode, out } = await commandLine.run(['tenant', 'check', '--tenant', file]);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/ChannelMember\.Read\.All[^\n]*no members of private/);
  expect(out).toMatch(/Teamwork\.Migrate\.All[^\n]*no channels and posts/);
});
