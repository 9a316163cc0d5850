import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { postForm, TenantClient } from '../testing/tenant-client.ts';
import { valueAt } from '../wire/json.ts';

let tenant: RunningTenant;

beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.stop());

const askForToken = (more: Readonly<Record<string, string>> = {}) =>
  postForm(`${tenant.loginUrl}/${tenant.tenantId}/oauth2/v2.0/token`, {
    grant_type: 'client_credentials',
    client_id: tenant.application.clientId,
    client_secret: tenant.application.clientSecret,
    scope: 'https://graph.microsoft.com/.default',
    ...more,
  });

test('a token of before a policy is refused with the claims to ask with, and one that was asked for with them is good', async () => {
  const client = await TenantClient.signIn(tenant);
  expect((await client.get('/users')).status).toBe(200);
  tenant.tenant.behaviours.claimsChallenges = [tenant.application.clientId];
  const refused = await client.get('/users');
  expect(refused.status).toBe(401);
  const header = refused.headers.get('www-authenticate') ?? '';
  expect(header).toContain('error="insufficient_claims"');
  const claims = Buffer.from(/claims="([^"]+)"/.exec(header)?.[1] ?? '', 'base64').toString();
  expect(JSON.parse(claims)).toMatchObject({ access_token: { nbf: { essential: true } } });
  const answer = await askForToken({ claims });
  const fresh = new TenantClient(tenant, String(valueAt(answer.body, 'access_token')));
  expect((await fresh.get('/users')).status).toBe(200);
  const without = new TenantClient(tenant, String(valueAt((await askForToken()).body, 'access_token')));
  expect((await without.get('/users')).status).toBe(401);
  expect((await askForToken({ claims: '{' })).status).toBe(400);
});

test('an application that a policy blocks gets no token', async () => {
  tenant.tenant.behaviours.blockedApplications = true;
  expect(await askForToken()).toMatchObject({ status: 400, body: { error_codes: [53003] } });
  tenant.tenant.behaviours.blockedApplications = false;
  expect((await askForToken()).status).toBe(200);
});
