import { describeAgainstVendor } from '@keepwatch/sandbox/testing/vendor-description';
import { orgsOf, type RunningVcdSandbox, startVcdSandbox, usersOf } from '@keepwatch/sandbox/vcd/server';
import { buildWorld } from '@keepwatch/sandbox/world/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drain } from '../suites/backup-source-subject.ts';
import { schemaFaults } from '../suites/schema-faults.ts';
import { quiet, testContext } from '../testing/context.ts';
import { manifest } from './manifest.ts';

const WORLD = buildWorld(1, 130);
const USERS = usersOf(WORLD);
const named = (username: string) => USERS.find((user) => user.username === username);

let sandbox: RunningVcdSandbox;
beforeAll(async () => {
  sandbox = await startVcdSandbox({ companyCount: 130 });
});
afterAll(() => sandbox.stop());

function open(changes: Record<string, string> = {}, context = testContext()) {
  const { url, username, password } = sandbox;
  return manifest.open({ url, username, password, ...changes }, context);
}

describe('Cloud Director', () => {
  it('lists the organizations of companies, over several pages, without that of the provider', async () => {
    const { values, failed } = await drain(open().listCompanies(quiet()));
    expect(failed).toEqual([]);
    expect(values.map(({ name }) => name).toSorted()).toEqual(WORLD.companies.map(({ name }) => name).toSorted());
    expect(values[0]?.externalId).toMatch(/^urn:vcloud:org:/);
  });

  it('signs in again when its token has ended', async () => {
    const vendor = open();
    await vendor.test(quiet());
    sandbox.endTokens();
    expect(await vendor.test(quiet())).toEqual({ version: expect.stringContaining('37.2') });
  });

  it.each([
    ['wrong-credentials', { password: 'not the password' }],
    ['wrong-credentials', { password: '' }],
    ['not-reachable', { url: 'ftp://cloud.example.test' }],
    ['not-reachable', { url: 'http://127.0.0.1:1/' }],
    ['not-reachable', { thumbprint: 'none' }],
  ])('says %s for %j, and never the password', async (kind, changes) => {
    const context = testContext();
    const error: unknown = await Promise.resolve()
      .then(() => open(changes, context).test(quiet()))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind });
    expect(`${String(error)} ${context.logged()}`).not.toContain('not the password');
  });

  it('finds an account by its id, and whose it is', async () => {
    const owner = named('owner');
    expect(await open().accounts.findAccount(owner?.id ?? '', quiet())).toEqual({
      externalId: owner?.id,
      name: `owner@${owner?.orgEntityRef.name}`,
      companyExternalId: owner?.orgEntityRef.id,
      isEnabled: true,
    });
    const find = (id = '') => open().accounts.findAccount(id, quiet());
    expect(await find(named('former')?.id)).toMatchObject({ isEnabled: false });
    expect(await find(named('administrator')?.id)).toMatchObject({ companyExternalId: null });
    for (const id of ['urn:vcloud:user:00000000-0000-4000-8000-000000000000', 'owner', '../orgs'])
      expect(await find(id)).toBeNull();
  });

  it('opens the page of the organization, which asks for the password', async () => {
    const { accounts } = open();
    const found = await accounts.findAccount(named('owner')?.id ?? '', quiet());
    if (found === null) throw new Error('The owner is not there');
    const name = found.name.split('@')[1];
    expect(await accounts.signOn(found, quiet())).toEqual({ url: `${sandbox.url}/tenant/${name}/`, isSignedIn: false });
  });
});

describeAgainstVendor('the Cloud Director of the sandbox', 'vcd-37.2.subset.swagger.json', (published) => {
  it('answers as the vendor describes it', () => {
    const faults = schemaFaults(published);
    const [org] = orgsOf(WORLD);
    expect(faults('#/definitions/Org', org)).toEqual([]);
    expect(faults('#/definitions/VcdUser', USERS[0])).toEqual([]);
  });
});
