import { editCompany, getCompany, listConsoleCompanies } from '@keepwatch/contract/companies/companies';
import { createConnection } from '@keepwatch/contract/connections/connections';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { addConsoleAccount, signOn } from '@keepwatch/contract/directory/console-accounts';
import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import { orgsOf, type RunningVcdSandbox, startVcdSandbox, usersOf } from '@keepwatch/sandbox/vcd/server';
import { buildWorld } from '@keepwatch/sandbox/world/world';
import { type RunningZertoSandbox, startZertoSandbox, zorgsOf } from '@keepwatch/sandbox/zerto/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

const WORLD = buildWorld(1, 3);
const [ORG, OTHER] = orgsOf(WORLD).filter(({ name }) => name !== 'System');
const OWNER = usersOf(WORLD).find(({ orgEntityRef, enabled }) => orgEntityRef.id === ORG?.id && enabled);
const [ZORG] = zorgsOf(WORLD);

let portal: TestPortal;
let zerto: RunningZertoSandbox;
let director: RunningVcdSandbox;
let admin: Caller;
beforeAll(async () => {
  [zerto, director] = await Promise.all([startZertoSandbox({ companyCount: 3 }), startVcdSandbox({ companyCount: 3 })]);
  portal = await startTestPortal();
  admin = await portal.as(['super-admin', 'admin']);
  const { url, portalUrl, clientId, clientSecret } = zerto;
  await connect('zerto', { url, portalUrl, clientId, clientSecret });
  await connect('vcd', { url: director.url, username: director.username, password: director.password });
});
afterAll(async () => {
  await portal.stop();
  await Promise.all([zerto.stop(), director.stop()]);
});

async function connect(kind: ConsoleKind, settings: Record<string, string>): Promise<void> {
  const body = { port: 'tenant-console', kind, name: `The ${kind}`, settings };
  expect((await admin.send(createConnection, { body })).status).toBe(200);
}

/** Links a new company to the one that the connected consoles find by this name; gives the company, and a user who is limited to it. */
async function linked(name: string, kind: ConsoleKind): Promise<{ companyId: string; user: Caller }> {
  const companyId = await buildCompany(portal.database, { name: `Ours of ${kind}` });
  const { data, failed } = await admin.call(listConsoleCompanies, { query: { name } });
  expect(failed).toEqual([]);
  const found = data.find(({ connectionName }) => connectionName === `The ${kind}`);
  if (found === undefined) throw new Error(`${name} was not found in The ${kind}`);
  const links = [{ connectionId: found.connectionId, externalId: found.externalId }];
  await admin.call(editCompany, { params: { id: companyId }, body: { isManaged: true, links } });
  return { companyId, user: await portal.as('operator', { companyIds: [companyId] }) };
}

const give = (user: Caller, provider: ConsoleKind, accountId = '') =>
  admin.send(addConsoleAccount, { params: { id: user.userId, accountId }, body: { provider } });

describe('a console that reports no jobs', () => {
  it('is searched with the others; a company has its id there, and remains one that is changed here', async () => {
    const { companyId } = await linked(OTHER?.displayName ?? '', 'vcd');
    const { data } = await admin.call(getCompany, { params: { id: companyId } });
    expect(data).toMatchObject({ links: [{ connectionName: 'The vcd', isReporting: false }] });
    const vcdId = data.applications.vcd.id ?? '';
    expect(vcdId).toMatch(/^urn:vcloud:org:/);
    expect((await admin.call(listReportingCompanies, { query: { vcdId } })).data).toMatchObject([{ _id: companyId }]);
    const body = { name: 'Renamed here', isManaged: true };
    expect((await admin.call(editCompany, { params: { id: companyId }, body })).data.name).toBe('Renamed here');
  });

  it('Zerto opens signed in, once, and its address is in no log', async () => {
    const { user } = await linked(ZORG?.zorgName ?? '', 'zerto');
    expect((await give(user, 'zerto', ZORG?.zorgName)).status).toBe(200);
    const { data } = await user.call(signOn, { params: { provider: 'zerto' } });
    const session = zerto.sessions().at(-1);
    expect(data).toMatchObject({
      isSignedIn: true,
      url: `${zerto.portalUrl}?sessionId=${session?.zsspSessionIdentifier}`,
    });
    const entries = await rows(portal.database, sql`select * from audit_entries`);
    expect(JSON.stringify(entries)).not.toContain(session?.zsspSessionIdentifier);
  });

  it('Cloud Director opens at the page of the organization, and asks for the password', async () => {
    const { user } = await linked(ORG?.displayName ?? '', 'vcd');
    expect((await give(user, 'vcd', OWNER?.id)).status).toBe(200);
    const { data } = await user.call(signOn, { params: { provider: 'vcd' } });
    expect(data).toMatchObject({ isSignedIn: false, url: `${director.url}/tenant/${ORG?.name}/` });
  });

  it('409: says which console does not do as it should, and sends the user nowhere', async () => {
    const { user } = await linked(WORLD.companies[1]?.name ?? '', 'zerto');
    expect((await give(user, 'zerto', WORLD.companies[1]?.name)).status).toBe(200);
    zerto.lead('https://elsewhere.example/');
    const refused = await refusal(user.send(signOn, { params: { provider: 'zerto' } }));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('The console "The zerto" says') });
    expect(JSON.stringify(refused)).not.toContain('elsewhere');
  });
});
