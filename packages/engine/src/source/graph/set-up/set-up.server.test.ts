import { afterEach, describe, expect, it } from 'vitest';
import { type RunningTenant, startTenant, type TenantOptions } from '../../../../../sandbox/src/microsoft365/server.ts';
import { OBJECT_KINDS } from '../../../model/protected-object.ts';
import * as setUp from './set-up.ts';

const GRAPH_CLI = '14d82eec-204b-4c2f-b7e8-296a70dab67e';
const { signal } = new AbortController();
const open: RunningTenant[] = [];

afterEach(async () => {
  for (const tenant of open.splice(0)) await tenant.stop();
});

async function start(options: TenantOptions = {}) {
  const tenant = await startTenant({ size: 'empty', ...options });
  open.push(tenant);
  const { loginUrl, graphUrl, sharePointUrl } = tenant;
  return { tenant, place: { cloud: 'worldwide', loginUrl, graphUrl, sharePointUrl } as const };
}

async function signIn({ tenant, place }: Awaited<ReturnType<typeof start>>, user: string) {
  const { userCode, deviceCode } = await setUp.beginSignIn(place, GRAPH_CLI, signal);
  tenant.settleDeviceCode(userCode, user);
  const look = await setUp.lookAtSignIn(place, { clientId: GRAPH_CLI, deviceCode }, signal);
  if (look.state !== 'signed-in') throw new Error(look.state);
  return setUp.openAsAdministrator(place, { clientId: GRAPH_CLI, token: look.token }, signal);
}

describe('Setting up a tenant', () => {
  it('follows a sign-in by device code from its beginning to its end', async () => {
    const { tenant, place } = await start();
    const { userCode, deviceCode, verificationUrl } = await setUp.beginSignIn(place, GRAPH_CLI, signal);
    expect(verificationUrl).toContain('/devicelogin');
    const look = () => setUp.lookAtSignIn(place, { clientId: GRAPH_CLI, deviceCode }, signal);
    expect(await look()).toEqual({ state: 'pending' });
    expect(await look()).toEqual({ state: 'too-often' });
    tenant.settleDeviceCode(userCode);
    expect(await look()).toEqual({ state: 'declined' });
    tenant.advance(1_000_000);
    expect(await look()).toEqual({ state: 'expired' });
  });

  it('makes an application that signs in with its certificate and has what it needs and no more, while the directory lags', async () => {
    const started = await start({ replicationAttempts: 2, size: 'small' });
    const { tenant, place } = started;
    const administrator = await signIn(started, `admin@${tenant.domain}`);
    expect(administrator).toMatchObject({ tenantId: tenant.tenantId, officeName: tenant.domain });
    for (const purpose of ['backup', 'restore'] as const) {
      const certificate = await setUp.makeCertificate('KEEPWATCH', Date.now());
      const order = { name: `Keepwatch ${purpose}`, purpose, kinds: OBJECT_KINDS, certificate };
      const clientId = await setUp.createApplication(administrator.connection, order, signal);
      const options = { ...place, tenantId: tenant.domain };
      await setUp.awaitApplication(options, { clientId, certificate }, order, signal);
      const check = await setUp.checkApplication(options, { clientId, certificate }, OBJECT_KINDS, signal);
      expect(check.tenantId).toBe(tenant.tenantId);
      expect(check.canRestore).toBe(purpose === 'restore');
      const lacking = check.missing.filter(({ use }) => purpose === 'restore' || use === 'backup');
      expect(lacking.map(({ permission }) => permission)).toEqual([
        'Sites.FullControl.All',
        'Sites.FullControl.All of SharePoint',
      ]);
    }
    const granted = [...tenant.tenant.applications.servicePrincipals.values()].find(
      ({ displayName }) => displayName === 'Keepwatch backup',
    );
    const names = [...tenant.tenant.applications.permissionsOf(granted?.appId ?? '')];
    expect(names.filter((name) => /Write|Manage|FullControl|Create|Migrate/.test(name))).toEqual([]);
  });

  it('refuses who is no administrator, and leaves no half-made application behind', async () => {
    const started = await start({ size: 'small' });
    const { tenant } = started;
    const [, person] = tenant.tenant.directory.users;
    const { connection } = await signIn(started, person?.userPrincipalName ?? '');
    const certificate = await setUp.makeCertificate('KEEPWATCH', Date.now());
    const order = { name: 'Half', purpose: 'backup', kinds: OBJECT_KINDS, certificate } as const;
    await expect(setUp.createApplication(connection, order, signal)).rejects.toMatchObject({ code: 'consent-missing' });

    const administrator = await signIn(started, `admin@${tenant.domain}`);
    tenant.setFaults([
      {
        kind: 'server-error',
        path: '/servicePrincipals/*/appRoleAssignments',
        method: 'POST',
        parameters: { status: 500 },
      },
    ]);
    const stopped = AbortSignal.timeout(1_500);
    await expect(setUp.createApplication(administrator.connection, order, stopped)).rejects.toThrow();
    tenant.setFaults([]);
    expect(
      [...tenant.tenant.applications.applications.values()].map(({ properties }) => properties['displayName']),
    ).not.toContain('Half');
  });

  it('adds a certificate beside the old one, and removes the old one alone', async () => {
    const started = await start();
    const { tenant, place } = started;
    const { connection } = await signIn(started, `admin@${tenant.domain}`);
    const [first, second] = [
      await setUp.makeCertificate('first', Date.now()),
      await setUp.makeCertificate('second', Date.now()),
    ];
    const order = { name: 'Keepwatch', purpose: 'backup', kinds: ['mailbox'], certificate: first } as const;
    const clientId = await setUp.createApplication(connection, order, signal);
    await setUp.addCertificate(connection, clientId, { certificate: second, name: 'second' }, signal);
    const check = (certificate: typeof first) =>
      setUp.checkApplication({ ...place, tenantId: tenant.tenantId }, { clientId, certificate }, ['mailbox'], signal);
    await Promise.all([check(first), check(second)]);
    await setUp.removeCertificate(connection, clientId, first.thumbprint, signal);
    await check(second);
    await expect(check(first)).rejects.toMatchObject({ code: 'credentials-refused' });
  });
});
