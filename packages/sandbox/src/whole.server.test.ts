import https from 'node:https';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from './server.ts';
import { ask, at, readAll, sendForm, textAt } from './testing/console-client.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const dayMs = 86_400_000;
const heatmap = (fromMs: number, toMs: number) =>
  `/infrastructure/jobSessionHeatmap/?from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ tls: false, now: () => new Date(now) });
});
afterAll(() => sandbox.stop());

describe('authentication', () => {
  test('is closed without a token', async () => {
    const { status, body } = await ask(sandbox, '/about', { authorization: '' });
    expect(status).toBe(401);
    expect(at(body, 'errors', 0)).toMatchObject({ type: 'security', code: 401 });
  });

  test('opens with user name and password, and stays open by refreshing', async () => {
    const { username, password } = sandbox;
    const signedIn = await sendForm(sandbox, '/token', { grant_type: 'password', username, password });
    expect(signedIn.status).toBe(200);
    const first = `Bearer ${textAt(signedIn.body, 'access_token')}`;
    expect((await ask(sandbox, '/users/me', { authorization: first })).status).toBe(200);
    const form = { grant_type: 'refresh_token', refresh_token: textAt(signedIn.body, 'refresh_token') };
    const refreshed = await sendForm(sandbox, '/token', form);
    const second = `Bearer ${textAt(refreshed.body, 'access_token')}`;
    expect((await ask(sandbox, '/users/me', { authorization: second })).status).toBe(200);
  });

  test('answers a wrong password in the shape of OAuth', async () => {
    const { status, body } = await sendForm(sandbox, '/token', {
      grant_type: 'password',
      username: 'a',
      password: 'b',
    });
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'invalid_grant', error_description: expect.any(String), error_uri: null });
  });

  test('closes when the token has ended by the clock of the world', async () => {
    const short = await startSandbox({
      tls: false,
      companyCount: 1,
      accessTokenLifetimeMs: 60_000,
      now: () => new Date(now),
    });
    try {
      const { username, password } = short;
      const { body } = await sendForm(short, '/token', { grant_type: 'password', username, password });
      const authorization = `Bearer ${textAt(body, 'access_token')}`;
      expect(at(body, 'expires_in')).toBe(60);
      expect((await ask(short, '/about', { authorization })).status).toBe(200);
      short.advanceClock(60_000);
      expect((await ask(short, '/about', { authorization })).status).toBe(401);
    } finally {
      await short.stop();
    }
  });
});

describe('refusals have the shape of the vendor', () => {
  test.each([
    ['/nowhere', 404],
    ['/organizations/companies?limit=9999', 400],
    ['/organizations/companies?filter=nonsense', 400],
    ['/organizations/companies?filter=[{"property":"nmae","operation":"equals","value":"x"}]', 400],
    ['/organizations/companies?sort=[{"property":"nmae"}]', 400],
    ['/infrastructure/jobSessionHeatmap/', 400],
    ['/infrastructure/jobSessionHeatmap/?from=yesterday&to=today', 400],
    ['/infrastructure/jobSessionHeatmap/?from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z', 400],
  ])('%s answers %i', async (path, status) => {
    const answer = await ask(sandbox, path);
    expect(answer.status).toBe(status);
    expect(at(answer.body, 'errors', 0)).toMatchObject({ message: expect.any(String), type: 'logical', code: status });
  });

  test('a body of the wrong type', async () => {
    const response = await fetch(`${sandbox.url}/token`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'text/csv' },
    });
    expect(response.status).toBe(415);
    expect(at(await response.json(), 'errors', 0, 'code')).toBe(415);
  });
});

test('the same seed and clock give the same bytes', async () => {
  const twin = await startSandbox({ tls: false, now: () => new Date(now) });
  const paths = [
    '/organizations/companies?expand=Organization',
    '/infrastructure/backupServers/jobs?limit=500',
    heatmap(now - dayMs, now),
  ];
  try {
    for (const path of paths) expect((await ask(twin, path)).text).toBe((await ask(sandbox, path)).text);
    expect(twin.apiKey).toBe(sandbox.apiKey);
  } finally {
    await twin.stop();
  }
});

test('a filter finds the jobs of one server on all pages', async () => {
  const [server] = await readAll(sandbox, '/infrastructure/backupServers');
  const value = textAt(server, 'instanceUid');
  const filter = JSON.stringify([{ property: 'backupServerUid', operation: 'equals', value }]);
  const found = await readAll(sandbox, `/infrastructure/backupServers/jobs?filter=${encodeURIComponent(filter)}`);
  const all = await readAll(sandbox, '/infrastructure/backupServers/jobs');
  expect(found).toEqual(all.filter((job) => at(job, 'backupServerUid') === value));
  expect(found.length).toBeGreaterThan(0);
});

test('what is embedded is there when it was asked for, and null when not', async () => {
  const plain = await ask(sandbox, '/infrastructure/backupServers/repositories?limit=1');
  expect(at(plain.body, 'data', 0, '_embedded')).toBeNull();
  const full = await ask(sandbox, '/infrastructure/backupServers/repositories?limit=1&expand=BackupRepositoryInfo');
  expect(at(full.body, 'data', 0, '_embedded', 'capacity')).toBeGreaterThan(0);
});

test('the jobs for agents and file shares are the same jobs that the list of all has', async () => {
  const all = new Map(
    (await readAll(sandbox, '/infrastructure/backupServers/jobs')).map((job) => [at(job, 'uniqueUid'), job]),
  );
  for (const kind of ['agentJobs', 'fileShareJobs']) {
    for (const job of await readAll(sandbox, `/infrastructure/backupServers/jobs/${kind}?expand=BackupServerJob`)) {
      expect(at(job, '_embedded', 'backupServerJob')).toEqual(all.get(at(job, 'uniqueUid')));
    }
  }
});

test('every job belongs to a company of the list, but for the few of the provider', async () => {
  const companies = new Set(
    (await readAll(sandbox, '/organizations/companies')).map((company) => at(company, 'instanceUid')),
  );
  const jobs = await readAll(sandbox, '/infrastructure/backupServers/jobs');
  const owners = jobs.map((job) => at(job, 'mappedOrganizationUid') ?? at(job, 'organizationUid'));
  expect(owners.filter((owner) => !companies.has(owner))).toHaveLength(3);
  const mappings = new Map(
    (await readAll(sandbox, '/infrastructure/vb365Servers/organizations/companyMappings')).map((mapping) => [
      at(mapping, 'vb365OrganizationUid'),
      at(mapping, 'companyUid'),
    ]),
  );
  for (const job of await readAll(sandbox, '/infrastructure/vb365Servers/organizations/jobs')) {
    const owner = at(job, 'vspcOrganizationUid');
    expect(companies).toContain(mappings.get(at(job, 'vb365OrganizationUid')));
    if (owner !== null) expect(owner).toBe(mappings.get(at(job, 'vb365OrganizationUid')));
  }
});

test('with TLS the certificate has the reported thumbprints', async () => {
  const secure = await startSandbox({ companyCount: 1 });
  try {
    expect(secure.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api\/v3$/);
    const seen = await new Promise<{ status: number | undefined; sha256: string; sha1: string }>((resolve, reject) => {
      const options = { rejectUnauthorized: false, headers: { authorization: `Bearer ${secure.apiKey}` } };
      const request = https.get(`${secure.url}/about`, options, (response) => {
        if (!(response.socket instanceof TLSSocket)) return reject(new Error('No TLS'));
        const { fingerprint256, fingerprint } = response.socket.getPeerCertificate();
        response.resume();
        resolve({ status: response.statusCode, sha256: plain(fingerprint256), sha1: plain(fingerprint) });
      });
      request.on('error', reject);
    });
    expect(seen).toEqual({ status: 200, sha256: secure.thumbprint, sha1: secure.thumbprintSha1 });
  } finally {
    await secure.stop();
  }
});

test('a sandbox stops at once, also while requests hang', async () => {
  const hung = await startSandbox({ tls: false, companyCount: 1 });
  const waiting = ask(hung, '/about', { 'x-sandbox-fault': 'hang' }).catch((error: unknown) => error);
  expect((await ask(hung, '/about')).status).toBe(200);
  await hung.stop();
  expect(await waiting).toBeInstanceOf(Error);
});

function plain(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}
