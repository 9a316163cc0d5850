import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { beforeAll, expect, test, vi } from 'vitest';
import { permissionNames } from '../../../sandbox/src/microsoft365/applications/permissions.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { filledSiteOf } from '../testing/graph/graph-site.ts';
import { connectTo } from '../testing/graph/graph-tenant.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let site = '';
let pem = '';

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  const { private: privateKey, cert } = await generate([{ name: 'commonName', value: 'keeper' }], { keySize: 2048 });
  pem = cert;
  tenant.addCertificate(cert);
  const certificateFile = await commandLine.file('contoso.pem', `${privateKey}\n${cert}`);
  await commandLine.writeTenant(tenant, { clientId: tenant.application.clientId, certificateFile });
  site = (await filledSiteOf(openGraphSource(connectTo(tenant)), tenant)).object.id;
  await commandLine.makeRepository();
  const ended = await run('backup', '--kinds', 'site', '--include', `site:${site}`);
  expect(ended.exitCode, ended.problems).toBe(0);
  expect(ended.problems).toBe('');
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);

test('a certificate brings the files attached to rows, which are found by name and are in the ZIP of the site', async () => {
  const found = await run('search', '--file', 'offer', '--object', `site/${site}`, '--json');
  expect(found.lines.filter(({ type }) => type === 'row').length).toBeGreaterThan(0);
  const file = join(commandLine.folder, 'site.zip');
  const ended = await run('export', '--object', `site/${site}`, '--to', file, '--json');
  expect(ended.exitCode, ended.problems).toBe(0);
  const script =
    'import zipfile,sys,json\nz=zipfile.ZipFile(sys.argv[1])\nprint(json.dumps([z.namelist(),json.loads(z.read("Permissions.json"))]))';
  const [names, roles]: [string[], Record<string, unknown>[]] = JSON.parse(
    execFileSync('python3', ['-c', script, file]).toString(),
  );
  expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^Inventory attachments\/\d+\/Offer\.pdf$/)]));
  expect(roles[0]).toMatchObject({ of: 'Permissions', siteGroups: [{}, {}, {}], roleAssignments: [{}, {}, {}] });
  expect(roles.length).toBeGreaterThan(2);
});

test('the check names the permissions of SharePoint that are missing, and that a secret is not enough', async () => {
  const whole = await run('tenant', 'check');
  expect([whole.exitCode, whole.out]).toEqual([0, expect.not.stringContaining('of SharePoint')]);
  const { clientId } = tenant.registerApplication(permissionNames, ['Sites.Read.All']);
  tenant.addCertificate(pem, clientId);
  const less = await commandLine.writeTenant(tenant, { clientId, certificateFile: 'contoso.pem' }, 'less.json');
  const { out } = await run('tenant', 'check', '--tenant', less);
  expect(out).toMatch(/Sites\.FullControl\.All of SharePoint[^\n]*no roles of persons/);
  expect(out).toMatch(/Sites\.ReadWrite\.All of SharePoint[^\n]*no files can be attached/);
  expect(out).not.toContain('Sites.Read.All of SharePoint');
  const { clientId: own, clientSecret: secret } = tenant.application;
  const bySecret = await commandLine.writeTenant(tenant, { clientId: own, secret }, 'secret.json');
  const checked = await run('tenant', 'check', '--tenant', bySecret);
  expect([checked.exitCode, checked.problems]).toEqual([0, expect.stringContaining('a certificate alone')]);
});

test('shows who has which role among what is in the site', async () => {
  const { lines } = await run('browse', '--object', `site/${site}`, '--json');
  expect(lines).toContainEqual(expect.objectContaining({ kind: 'role-assignments', name: 'Permissions' }));
});
