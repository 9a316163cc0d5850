import { startSandbox } from '@keepwatch/sandbox/server';
import { describeAgainstVendor } from '@keepwatch/sandbox/testing/vendor-description';
import { usersOf } from '@keepwatch/sandbox/vspc/users';
import { buildWorld } from '@keepwatch/sandbox/world/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupSourceSuite } from '../suites/backup-source.suite.ts';
import type { Harness, SuiteFault } from '../suites/backup-source-subject.ts';
import { allJobs, drain } from '../suites/backup-source-subject.ts';
import { publishedDescription } from '../suites/published-description.ts';
import { startRecordingProxy } from '../suites/recording-proxy.ts';
import { quiet, testContext } from '../testing/context.ts';
import { manifest } from './manifest.ts';

type SandboxFault = Parameters<Awaited<ReturnType<typeof startSandbox>>['setFaults']>[0][number];

function sandboxFault(fault: SuiteFault): SandboxFault {
  const path = fault.kind === 'garbage' || fault.kind === 'same-page' ? '*' : '/organizations/companies*';
  if (fault.kind === 'bad-entity') return { kind: 'wrong-shape', path };
  if (fault.kind !== 'throttle') return { kind: fault.kind, path };
  const { kind, times, retryAfterSeconds } = fault;
  return { kind, times, path, parameters: { retryAfterSeconds } };
}

async function startHarness(): Promise<Harness> {
  const sandbox = await startSandbox({ now: testContext().now });
  return {
    manifest,
    settings: { url: sandbox.url, apiKey: sandbox.apiKey, thumbprint: sandbox.thumbprint },
    wrong: {
      credentials: { apiKey: 'not-a-valid-key' },
      thumbprint: { thumbprint: 'ab'.repeat(32) },
      address: { url: 'https://127.0.0.1:1/' },
    },
    secrets: [sandbox.apiKey],
    setFault: (fault) => sandbox.setFaults(fault ? [sandboxFault(fault)] : []),
    stop: () => sandbox.stop(),
  };
}

backupSourceSuite('Veeam Service Provider Console', startHarness);

describe('Veeam Service Provider Console, signed in with user name and password', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => {
    sandbox = await startSandbox({ now: testContext().now, companyCount: 4 });
  });
  afterAll(() => sandbox.stop());

  function open() {
    const { url, username, password, thumbprintSha1: thumbprint } = sandbox;
    return manifest.open({ url, username, password, thumbprint }, testContext());
  }

  it('reads the same as with a key', async () => {
    expect((await drain(open().listCompanies(quiet()))).values).toHaveLength(4);
  });

  it('signs in again when a token is refused before its time', async () => {
    sandbox.setFaults([{ kind: 'expired-token', path: '/organizations/companies*' }]);
    expect((await drain(open().listCompanies(quiet()))).values).toHaveLength(4);
  });

  it('follows calls that are answered later', async () => {
    sandbox.setFaults([{ kind: 'async', path: '/organizations/companies*' }]);
    expect((await drain(open().listCompanies(quiet()))).values).toHaveLength(4);
  });
});

describe('accounts of Veeam Service Provider Console', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => {
    sandbox = await startSandbox({ now: testContext().now, companyCount: 4 });
  });
  afterAll(() => sandbox.stop());

  function open(credentials: Record<string, string>) {
    const { url, thumbprint } = sandbox;
    const { accounts } = manifest.open({ url, thumbprint, ...credentials }, testContext());
    if (accounts === undefined) throw new Error('The console has no accounts');
    return accounts;
  }
  /** The users of the same world. */
  const PEOPLE = usersOf(buildWorld(1, 4));
  const signedIn = () => open({ username: sandbox.username, password: sandbox.password });

  /** The owner of the first company. */
  function owner() {
    const found = PEOPLE.find(({ role }) => role === 'CompanyOwner');
    if (found === undefined) throw new Error('No company has an owner');
    return found;
  }

  it('finds an account by id and by user name, in any case', async () => {
    const { instanceUid, userName, organizationUid } = owner();
    const account = { externalId: instanceUid, name: userName, companyExternalId: organizationUid, isEnabled: true };
    for (const given of [instanceUid, instanceUid.toUpperCase(), userName, userName.toUpperCase()])
      expect(await signedIn().findAccount(given, quiet())).toEqual(account);
    expect(await signedIn().findAccount('unknown', quiet())).toBeNull();
  });

  it('knows administrators of the provider as such, and lets no user in as one', async () => {
    const found = await signedIn().findAccount(sandbox.username, quiet());
    expect(found).toMatchObject({ companyExternalId: null });
    if (found !== null) await expect(signedIn().signOn(found, quiet())).rejects.toMatchObject({ kind: 'not-allowed' });
  });

  it('has the console confirm an account, and names the page on which its company signs in', async () => {
    const { instanceUid } = owner();
    const accounts = signedIn();
    const found = await accounts.findAccount(instanceUid, quiet());
    if (found === null) throw new Error('The account is not there');
    // Twice: the token that confirms it is good for one use.
    for (const time of [1, 2])
      expect([time, await accounts.signOn(found, quiet())]).toEqual([
        time,
        { url: expect.stringMatching(/^https:\/\//), isSignedIn: false },
      ]);
  });

  it('says that the console refuses an account, and that a key confirms none', async () => {
    const { organizationUid } = owner();
    const former = PEOPLE.find((user) => user.organizationUid === organizationUid && user.status === 'Disabled');
    const account = await signedIn().findAccount(former?.instanceUid ?? '', quiet());
    expect(account).toMatchObject({ isEnabled: false });
    if (account === null) return;
    await expect(signedIn().signOn(account, quiet())).rejects.toMatchObject({
      kind: 'not-allowed',
      message: /disabled/,
    });
    const byKey = open({ apiKey: sandbox.apiKey });
    await expect(byKey.signOn(account, quiet())).rejects.toMatchObject({ kind: 'not-allowed', message: /API key/ });
  });
});

const EXCHANGED = 'what is sent to Veeam Service Provider Console and what comes back';

describeAgainstVendor(EXCHANGED, 'vspc-v3.6.1.openapi.json', (published) => {
  const description = publishedDescription(published, '/api/v3');

  it('is as the vendor describes it', async () => {
    const sandbox = await startSandbox({ now: testContext().now, tls: false, companyCount: 8 });
    const proxy = await startRecordingProxy(new URL(sandbox.url));
    try {
      const { username, password } = sandbox;
      const source = manifest.open({ url: proxy.url.href, username, password }, testContext());
      await source.test(quiet());
      await drain(source.listCompanies(quiet()));
      const to = testContext().now();
      const range = { from: new Date(to.getTime() - 24 * 3_600_000), to };
      await drain(source.listExecutions(range, await allJobs(source), quiet()));
      await drain(source.listRepositories(quiet()));
      await drain(source.listComputers(quiet()));
      await drain(source.listLicenceUsage(quiet()));
      const owner = usersOf(buildWorld(1, 8)).find(({ role }) => role === 'CompanyOwner');
      const account = (await source.accounts?.findAccount(owner?.instanceUid ?? '', quiet())) ?? null;
      if (account !== null) await source.accounts?.signOn(account, quiet());
      expect(account).not.toBeNull();
      expect(proxy.exchanges.length).toBeGreaterThan(15);
      expect([...new Set(proxy.exchanges.flatMap((exchange) => description.faultsOf(exchange)))]).toEqual([]);
    } finally {
      await proxy.stop();
      await sandbox.stop();
    }
  });
});
