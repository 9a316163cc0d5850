import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankUser } from '../directory/build-directory.ts';
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

const graphCli = '14d82eec-204b-4c2f-b7e8-296a70dab67e';
const scope = ['Application.ReadWrite.All', 'AppRoleAssignment.ReadWrite.All']
  .map((name) => `https://graph.microsoft.com/${name}`)
  .join(' ');

/** Signs in by a code at the authority for all tenants, with the vendor's own program. */
async function signedIn(user: string): Promise<string> {
  const authority = `${tenant.loginUrl}/organizations/oauth2/v2.0`;
  const { body } = await postForm(`${authority}/devicecode`, { client_id: graphCli, scope });
  tenant.settleDeviceCode(String(valueAt(body, 'user_code')), user);
  const device_code = String(valueAt(body, 'device_code'));
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const token = await postForm(`${authority}/token`, { grant_type, client_id: graphCli, device_code });
  return String(valueAt(token.body, 'access_token'));
}

const makeAs = async (token: string) =>
  fetch(`${tenant.graphUrl}/v1.0/applications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'Made by a person' }),
  });

test('who signs in makes applications as an administrator alone', async () => {
  const person = blankUser(tenant.tenant, '00000000-0000-4000-8000-0000000000aa', 'person', 'A person');
  tenant.tenant.directory.putUser(person);
  expect((await makeAs(await signedIn(`admin@${tenant.domain}`))).status).toBe(201);
  const refused = await makeAs(await signedIn(person.userPrincipalName));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: { code: 'Authorization_RequestDenied' } });
});

test('the authority for all tenants gives no code to a program that none of them knows', async () => {
  const authority = `${tenant.loginUrl}/organizations/oauth2/v2.0`;
  const client_id = '00000000-0000-4000-8000-000000000009';
  expect(await postForm(`${authority}/devicecode`, { client_id, scope })).toMatchObject({
    body: { error: 'unauthorized_client', error_codes: [700016] },
  });
});

test('SharePoint has permissions of its own, which are assigned like those of Graph', async () => {
  const { clientId } = tenant.registerApplication([]);
  const sharePoint = await client.get("/servicePrincipals(appId='00000003-0000-0ff1-ce00-000000000000')");
  const role = objectsOf(valueAt(sharePoint.body, 'appRoles')).find(({ value }) => value === 'Sites.Read.All');
  const { applications } = tenant.tenant;
  applications.replicationAttempts = 0;
  const principalId = applications.findPrincipalByAppId(clientId)?.id ?? '';
  const assignment = { principalId, resourceId: valueAt(sharePoint.body, 'id'), appRoleId: role?.['id'] };
  const path = `/servicePrincipals/${principalId}/appRoleAssignments`;
  await untilFound(() => client.ask('POST', path, assignment));
  expect(applications.sharePoint.get(clientId)).toEqual(new Set(['Sites.Read.All']));
  expect(applications.permissionsOf(clientId)).toEqual(new Set());
});
