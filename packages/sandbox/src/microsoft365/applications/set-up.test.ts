import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { postForm, TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant({ size: 'empty', replicationAttempts: 2, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

/** Asks until the created object is found, and returns the number of attempts. */
async function untilFound(ask: () => Promise<{ status: number }>): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    const { status } = await ask();
    if (status < 300) return attempts;
    expect([400, 404]).toContain(status);
  }
}

test('an application is set up with a certificate and consent, and what was created is found after some attempts', async () => {
  const { cert } = await generate([{ name: 'commonName', value: 'engine' }], { keySize: 2048 });
  const key = new X509Certificate(cert).raw.toString('base64');
  const created = await client.ask('POST', '/applications', {
    displayName: 'Backup',
    keyCredentials: [{ type: 'AsymmetricX509Cert', usage: 'Verify', key }],
  });
  expect(created).toMatchObject({ status: 201, body: { keyCredentials: [{ type: 'AsymmetricX509Cert', key: null }] } });
  const appId = valueAt(created.body, 'appId');
  expect(await untilFound(() => client.get(`/applications/${valueAt(created.body, 'id')}`))).toBe(3);
  const principal = await client.ask('POST', '/servicePrincipals', { appId });
  expect(principal.status).toBe(201);

  const graph = await client.get("/servicePrincipals?$filter=appId eq '00000003-0000-0000-c000-000000000000'");
  const [resource] = objectsOf(valueAt(graph.body, 'value'));
  const role = objectsOf(resource?.['appRoles']).find(({ value }) => value === 'Mail.Read');
  const principalId = valueAt(principal.body, 'id');
  const assignment = { principalId, resourceId: resource?.['id'], appRoleId: role?.['id'] };
  const consent = () => client.ask('POST', `/servicePrincipals/${principalId}/appRoleAssignments`, assignment);
  // The list of service principals was an attempt already.
  expect(await untilFound(consent)).toBe(2);
  expect((await consent()).status).toBe(400);
  expect(tenant.tenant.applications.permissionsOf(String(appId))).toEqual(new Set(['Mail.Read']));
});

test('a secret is shown once, works, and stops working when it is removed', async () => {
  const { body } = await client.get(`/applications(appId='${tenant.application.clientId}')`);
  const path = `/applications/${valueAt(body, 'id')}`;
  const added = await client.ask('POST', `${path}/addPassword`, { passwordCredential: { displayName: 'two' } });
  const secret = String(valueAt(added.body, 'secretText'));
  expect(JSON.stringify((await client.get(path)).body)).not.toContain(secret);
  const signIn = () =>
    postForm(`${tenant.loginUrl}/${tenant.domain}/oauth2/v2.0/token`, {
      grant_type: 'client_credentials',
      client_id: tenant.application.clientId,
      client_secret: secret,
      scope: 'https://graph.microsoft.com/.default',
    });
  expect((await signIn()).status).toBe(200);
  const keyId = valueAt(added.body, 'keyId');
  expect((await client.ask('POST', `${path}/removePassword`, { keyId })).status).toBe(204);
  expect(await signIn()).toMatchObject({ status: 401, body: { error_codes: [7000215] } });
});
