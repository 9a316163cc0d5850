import { afterAll, beforeAll, expect, test } from 'vitest';
import { userIdOf } from '../directory/build-directory.ts';
import { type RunningTenant, startTenant } from '../server.ts';
import { postForm } from '../testing/tenant-client.ts';
import { valueAt } from '../wire/json.ts';

const CLIENT = '14d82eec-204b-4c2f-b7e8-296a70dab67e';
let tenant: RunningTenant;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', tenants: 2 });
});
afterAll(() => tenant.stop());

async function newCode() {
  const url = `${tenant.loginUrl}/organizations/oauth2/v2.0/devicecode`;
  const { body } = await postForm(url, { client_id: CLIENT, scope: 'https://graph.microsoft.com/User.Read' });
  return {
    page: String(valueAt(body, 'verification_uri')),
    user: String(valueAt(body, 'user_code')),
    device: String(valueAt(body, 'device_code')),
  };
}

function redeem(device: string) {
  const grant = 'urn:ietf:params:oauth:grant-type:device_code';
  return postForm(`${tenant.loginUrl}/organizations/oauth2/v2.0/token`, {
    grant_type: grant,
    client_id: CLIENT,
    device_code: device,
  });
}

const send = (page: string, fields: Record<string, string>) =>
  fetch(page, { method: 'POST', body: new URLSearchParams(fields) });

test('a person enters the code, chooses an account of any tenant, and the program is signed in as that', async () => {
  const { page, user, device } = await newCode();
  const html = await (await fetch(page)).text();
  const accounts = [...html.matchAll(/<option value="([^"]+)">([^<]+)/g)].map(([, id = '', name = '']) => ({
    id,
    name,
  }));
  const administrators = accounts.filter(({ name }) => name.endsWith('(administrator)'));
  // Who has the role of the tenant, and is the first to be chosen.
  expect(administrators.map(({ id }) => id)).toEqual(tenant.all.map((access) => userIdOf(access.tenant.seed, 0)));
  expect(accounts[0]).toEqual(administrators[0]);
  const chosen = accounts.find(({ name }) => name.includes('fabrikam'))?.id ?? '';
  expect((await send(page, { code: ` ${user.toLowerCase()} `, account: chosen, answer: 'sign-in' })).status).toBe(200);
  const { status, body } = await redeem(device);
  const [, claims = ''] = String(valueAt(body, 'access_token')).split('.');
  expect([status, JSON.parse(Buffer.from(claims, 'base64url').toString()).tid]).toEqual([200, tenant.all[1]?.tenantId]);
});

test('a declined code is refused to the program, and a wrong one is asked for again', async () => {
  const { page, user, device } = await newCode();
  const wrong = await send(page, { code: '"><b>', account: '', answer: 'sign-in' });
  expect([wrong.status, (await wrong.text()).includes('<b>')]).toEqual([400, false]);
  expect((await send(page, { code: user, answer: 'decline' })).status).toBe(200);
  expect(valueAt((await redeem(device)).body, 'error')).toBe('authorization_declined');
});
