import { describeAgainstVendor } from '@keepwatch/sandbox/testing/vendor-description';
import { buildWorld } from '@keepwatch/sandbox/world/world';
import { type RunningZertoSandbox, startZertoSandbox, zorgsOf } from '@keepwatch/sandbox/zerto/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drain } from '../suites/backup-source-subject.ts';
import { schemaFaults } from '../suites/schema-faults.ts';
import { quiet, testContext } from '../testing/context.ts';
import { answerJson, startVendor } from '../testing/vendor.ts';
import { manifest } from './manifest.ts';

const ZORGS = zorgsOf(buildWorld(1, 4));
const [FIRST] = ZORGS;

let sandbox: RunningZertoSandbox;
beforeEach(async () => {
  sandbox = await startZertoSandbox();
});
afterEach(() => sandbox.stop());

function open(changes: Record<string, string> = {}, context = testContext()) {
  const { url, portalUrl, clientId, clientSecret } = sandbox;
  return manifest.open({ url, portalUrl, clientId, clientSecret, ...changes }, context);
}

describe('Zerto', () => {
  it('says its version, lists the organizations, and signs in again when its token has ended', async () => {
    const vendor = open();
    expect(await vendor.test(quiet())).toEqual({ version: '10.0.60' });
    sandbox.endTokens();
    const { values } = await drain(vendor.listCompanies(quiet()));
    expect(values.map(({ externalId, name }) => [externalId, name])).toEqual(
      ZORGS.map(({ link, zorgName }) => [link.identifier, zorgName]),
    );
  });

  it('reads the names of properties in any case, and lists what cannot be read', async () => {
    const vendor = await startVendor((request, reply) =>
      request.method === 'POST'
        ? answerJson(reply, { access_token: 'x' })
        : answerJson(reply, [{ ZorgName: 'Harbour', Link: { Identifier: 'z-1' } }, { ZorgName: 'Without an id' }]),
    );
    const { values, failed } = await drain(open({ url: vendor.url.href }).listCompanies(quiet()));
    await vendor.stop();
    expect(values).toMatchObject([{ externalId: 'z-1', name: 'Harbour' }]);
    expect(failed).toMatchObject([{ entity: 'company' }]);
  });

  it.each([
    ['wrong-credentials', { clientSecret: 'not the secret' }],
    ['wrong-credentials', { clientSecret: '' }],
    ['not-reachable', { portalUrl: 'zssp' }],
    ['not-reachable', { url: 'http://127.0.0.1:1/' }],
  ])('says %s for %j, and never the secret', async (kind, changes) => {
    const context = testContext();
    const error: unknown = await Promise.resolve()
      .then(() => open(changes, context).test(quiet()))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind });
    expect(`${String(error)} ${context.logged()}`).not.toContain('not the secret');
  });

  it('has a session of the Self-Service Portal made, and opens it signed in', async () => {
    const context = testContext();
    const { accounts } = open({}, context);
    const found = await accounts.findAccount(FIRST?.zorgName.toUpperCase() ?? '', quiet());
    expect(found).toEqual({
      externalId: FIRST?.link.identifier,
      name: FIRST?.zorgName,
      companyExternalId: FIRST?.link.identifier,
      isEnabled: true,
    });
    if (found === null) return;
    const { url, isSignedIn } = await accounts.signOn(found, quiet());
    const [session] = sandbox.sessions();
    expect(session).toMatchObject({ zorgIdentifier: FIRST?.link.identifier, zsspAddress: sandbox.portalUrl });
    expect([url, isSignedIn]).toEqual([`${sandbox.portalUrl}?sessionId=${session?.zsspSessionIdentifier}`, true]);
    expect(context.logged()).not.toContain(sandbox.clientSecret);
    expect(context.logged()).not.toContain(session?.zsspSessionIdentifier);
    expect(await accounts.findAccount('unknown', quiet())).toBeNull();
  });

  it('leads to no other address than that of the settings', async () => {
    const { accounts } = open();
    sandbox.lead('https://elsewhere.example/');
    const found = await accounts.findAccount(FIRST?.link.identifier ?? '', quiet());
    if (found !== null) await expect(accounts.signOn(found, quiet())).rejects.toMatchObject({ kind: 'bad-reply' });
    expect(found).not.toBeNull();
  });
});

describeAgainstVendor('the Zerto of the sandbox', 'zerto-zvm-10.0u6.openapi.json', (published) => {
  it('answers as the vendor describes it', () => {
    const faults = schemaFaults(published);
    const place = (name: string) => `#/components/schemas/Zerto.Zvm.Api.Interfaces.${name}`;
    expect(faults(place('Zorgs.ZorgApi'), FIRST)).toEqual([]);
    const session = { zorgIdentifier: 'z', zsspAddress: 'https://zssp.example/' };
    expect(faults(place('ZsspSessions.ZsspSessionsApi'), session)).toEqual([]);
    const details = { ...session, zsspSessionIdentifier: 's', url: 'https://zssp.example/?sessionId=s' };
    expect(faults(place('ZsspSessions.ZsspSessionDetailsApi'), details)).toEqual([]);
    expect(faults(place('Sites.LocalSiteApi'), { siteName: 'Keystone', version: '10.0.60' })).toEqual([]);
  });
});
