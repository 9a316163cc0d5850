import { createHash, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { connectTo, JumpingClock, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { observedSend } from '../../../testing/observed-send.ts';
import type { GraphConnection } from '../connection.ts';

const open: RunningTenant[] = [];
const { signal } = new AbortController();
const DAY_MS = 86_400_000;

afterEach(async () => {
  for (const tenant of open.splice(0)) await tenant.stop();
});

async function start() {
  const { tenant } = await startConnected();
  open.push(tenant);
  return tenant;
}

const users = (connection: GraphConnection) => connection.page({ path: '/users' });

/** A certificate good for a year from an instant on, which the tenant knows as the application's. */
async function certificateOf(tenant: RunningTenant, fromMs = Date.now() - DAY_MS) {
  const made = await generate([{ name: 'commonName', value: 'keeper' }], {
    notBeforeDate: new Date(fromMs),
    notAfterDate: new Date(fromMs + 365 * DAY_MS),
    keySize: 2048,
    algorithm: 'sha256',
  });
  const certificate = new X509Certificate(made.cert).raw;
  tenant.tenant.applications.findByAppId(tenant.application.clientId)?.keyCredentials.push({
    keyId: 'one',
    displayName: null,
    customKeyIdentifier: createHash('sha1').update(certificate).digest('hex').toUpperCase(),
    type: 'AsymmetricX509Cert',
    usage: 'Verify',
    startMs: fromMs,
    endMs: fromMs + 365 * DAY_MS,
    certificate,
  });
  return { privateKey: made.private, certificate: made.cert };
}

describe('Signing in to a tenant', () => {
  it('works with a certificate instead of a secret', async () => {
    const tenant = await start();
    const { clientId } = tenant.application;
    const certificate = await certificateOf(tenant);
    expect(
      (await users(connectTo(tenant, { applications: [{ clientId, certificate }] }))).value.length,
    ).toBeGreaterThan(0);
  });

  it('does not send an expired certificate, and says when it expired', async () => {
    const tenant = await start();
    const { clientId } = tenant.application;
    const certificate = await certificateOf(tenant, Date.parse('2020-01-01T00:00:00Z'));
    const asked: string[] = [];
    const connection = connectTo(tenant, {
      applications: [{ clientId, certificate }],
      send: observedSend(({ url }) => void asked.push(url)),
    });
    await expect(users(connection)).rejects.toMatchObject({ code: 'certificate-expired', message: /2020-12-31/ });
    expect(asked).toEqual([]);
  });

  it('refuses a key that is not the certificate’s', async () => {
    const tenant = await start();
    const { clientId } = tenant.application;
    const [one, other] = [await certificateOf(tenant), await certificateOf(tenant)];
    const certificate = { privateKey: one.privateKey, certificate: other.certificate };
    await expect(users(connectTo(tenant, { applications: [{ clientId, certificate }] }))).rejects.toMatchObject({
      code: 'bad-request',
    });
  });

  it('says what to do about a wrong secret, an unknown application and a tenant that is gone', async () => {
    const tenant = await start();
    const { clientId, clientSecret } = tenant.application;
    const wrong = connectTo(tenant, { applications: [{ clientId, secret: 'wrong' }] });
    await expect(users(wrong)).rejects.toMatchObject({ code: 'credentials-refused', message: /The secret is wrong/ });
    const unknown = connectTo(tenant, { applications: [{ clientId: 'unknown', secret: clientSecret }] });
    await expect(users(unknown)).rejects.toMatchObject({ code: 'credentials-refused', message: /register it again/ });
    const gone = connectTo(tenant, { tenantId: '00000000-0000-0000-0000-000000000000' });
    await expect(users(gone)).rejects.toMatchObject({ code: 'source-gone' });
  });

  it('says that the secret has expired', async () => {
    const tenant = await start();
    tenant.advance(3 * 365 * DAY_MS);
    await expect(users(connectTo(tenant))).rejects.toMatchObject({
      code: 'credentials-refused',
      message: /The secret has expired/,
    });
  });

  it('asks for a token with the claims of a challenge, without a person', async () => {
    const tenant = await start();
    const connection = connectTo(tenant);
    await users(connection);
    tenant.tenant.behaviours.claimsChallenges = true;
    expect((await users(connection)).value.length).toBeGreaterThan(0);
    const replies = await connection.batch([{ path: '/users?$top=1' }]);
    expect(replies).toMatchObject([{ status: 200 }]);
  });

  it('says that a policy of the tenant blocks the application, also while it runs', async () => {
    const tenant = await start();
    const connection = connectTo(tenant);
    await users(connection);
    tenant.tenant.behaviours.claimsChallenges = true;
    tenant.tenant.behaviours.blockedApplications = true;
    await expect(users(connection)).rejects.toMatchObject({
      code: 'credentials-refused',
      message: /Conditional Access/,
    });
  });

  it('says that the sign-in cannot be reached', async () => {
    const tenant = await start();
    const clock = new JumpingClock();
    const connection = connectTo(tenant, { loginUrl: 'http://127.0.0.1:9', clock });
    await expect(users(connection)).rejects.toMatchObject({ code: 'source-unreachable', isRetryable: true });
  });

  it('waits for a person with a device code, and acts for that person with the refresh token', async () => {
    const tenant = await start();
    const { clientId } = tenant.application;
    const [user, other] = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
    // The sandbox refuses a client that polls more often than the interval allows, by the clock of its tenant.
    const clock = { now: () => Date.now(), sleep: async (ms: number) => tenant.advance(ms) };
    const connection = connectTo(tenant, { clock });
    const code = await connection.beginDeviceCode(clientId, 'Mail.Read offline_access', signal);
    expect(code.message).toContain(code.userCode);
    tenant.settleDeviceCode(code.userCode, user?.id);
    const { refreshToken } = await code.signedIn(signal);
    const delegated = connectTo(tenant, { applications: [{ clientId, refreshToken: refreshToken ?? '' }] });
    expect((await delegated.page({ path: '/me/mailFolders' })).value.length).toBeGreaterThan(0);
    // It reaches the mailbox of who signed in, and no other that is not shared with that person.
    const { mailboxShares } = tenant.tenant;
    const foreign = { path: `/users/${other?.id}/mailFolders` };
    await expect(delegated.page(foreign)).rejects.toMatchObject({ code: 'consent-missing' });
    mailboxShares.set(other?.id ?? '', new Set([user?.id ?? '']));
    await expect(delegated.page(foreign)).rejects.toMatchObject({ code: 'consent-missing' });
  });

  it('ends the wait when the person declines', async () => {
    const tenant = await start();
    const clock = { now: () => Date.now(), sleep: async (ms: number) => tenant.advance(ms) };
    const connection = connectTo(tenant, { clock });
    const code = await connection.beginDeviceCode(tenant.application.clientId, 'Mail.Read', signal);
    tenant.settleDeviceCode(code.userCode);
    await expect(code.signedIn(signal)).rejects.toMatchObject({ oauthError: 'authorization_declined' });
  });
});
