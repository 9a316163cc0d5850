import { startSandbox } from '@keepwatch/sandbox/server';
import { describeAgainstVendor } from '@keepwatch/sandbox/testing/vendor-description';
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
      expect(proxy.exchanges.length).toBeGreaterThan(15);
      expect([...new Set(proxy.exchanges.flatMap((exchange) => description.faultsOf(exchange)))]).toEqual([]);
    } finally {
      await proxy.stop();
      await sandbox.stop();
    }
  });
});
