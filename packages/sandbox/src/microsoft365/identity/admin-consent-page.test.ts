import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { postForm } from '../testing/tenant-client.ts';
import { valueAt } from '../wire/json.ts';
import { administratorOf } from './login-page.ts';

const BACK = 'https://portal.example/consented?from=microsoft';
let tenant: RunningTenant;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small' });
});
afterAll(() => tenant.stop());

/** An application that reads mail, and whose registration asks for calendars, too. */
function register(redirectUris: readonly string[] = [BACK]) {
  const application = tenant.registerApplication(['Mail.Read']);
  tenant.editRegistration(application.clientId, { permissions: ['Mail.Read', 'Calendars.Read'], redirectUris });
  return application;
}

const link = (query: Record<string, string>, name = tenant.tenantId) =>
  `${tenant.loginUrl}/${name}/adminconsent?${new URLSearchParams(query)}`;
const send = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const administrator = () => administratorOf(tenant.tenant);

async function rolesOf({ clientId, clientSecret }: ReturnType<typeof register>): Promise<string[]> {
  const fields = { grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' };
  const url = `${tenant.loginUrl}/${tenant.tenantId}/oauth2/v2.0/token`;
  const { body } = await postForm(url, { ...fields, client_id: clientId, client_secret: clientSecret });
  const [, claims = ''] = String(valueAt(body, 'access_token')).split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).roles.toSorted();
}

test('shows what is asked for, grants it to an administrator, and leads back with the state', async () => {
  const application = register();
  const url = link({ client_id: application.clientId, redirect_uri: BACK, state: 'a"b&c' });
  const shown = await fetch(url);
  const html = await shown.text();
  expect(html).toContain('Calendars.Read <small>Microsoft Graph</small>');
  expect(html).toContain('Mail.Read <small>Microsoft Graph, granted already</small>');
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' https://portal.example");
  expect(await rolesOf(application)).toEqual(['Mail.Read']);
  const granted = await send(url, { account: administrator(), answer: 'accept' });
  const location = new URL(granted.headers.get('location') ?? '');
  expect([granted.status, location.origin + location.pathname]).toEqual([302, 'https://portal.example/consented']);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    from: 'microsoft',
    admin_consent: 'True',
    tenant: tenant.tenantId,
    state: 'a"b&c',
  });
  expect(await rolesOf(application)).toEqual(['Calendars.Read', 'Mail.Read']);
});

test('a cancelled consent leads back with an error, and nothing is granted', async () => {
  const application = register();
  const url = link({ client_id: application.clientId, redirect_uri: BACK, state: '7' }, tenant.domain);
  const location = new URL((await send(url, { answer: 'cancel' })).headers.get('location') ?? '');
  expect(Object.fromEntries(location.searchParams)).toMatchObject({ error: 'access_denied', state: '7' });
  expect(location.searchParams.has('admin_consent')).toBe(false);
  expect(await rolesOf(application)).toEqual(['Mail.Read']);
});

test('refuses an account that is no administrator, and is sent nowhere', async () => {
  const application = register();
  const url = link({ client_id: application.clientId, redirect_uri: BACK });
  const person = tenant.tenant.directory.users.find(({ id }) => id !== administrator())?.id ?? '';
  const refused = await send(url, { account: person, answer: 'accept' });
  expect([refused.status, refused.headers.get('location')]).toEqual([403, null]);
  expect(await refused.text()).toContain('AADSTS90094');
  expect((await send(url, { account: 'unknown', answer: 'accept' })).status).toBe(400);
  expect(await rolesOf(application)).toEqual(['Mail.Read']);
});

test('refuses an address that is not registered, an unknown application and an unknown tenant on the page itself', async () => {
  const { clientId } = register();
  const codeOf = async (url: string) => {
    const reply = await fetch(url, { redirect: 'manual' });
    const html = await reply.text();
    expect([reply.status, reply.headers.get('location'), html.includes('<b>')]).toEqual([400, null, false]);
    return /AADSTS\d+/.exec(html)?.[0];
  };
  const evil = link({ client_id: clientId, redirect_uri: 'https://evil.example/?"><b>' });
  expect(await codeOf(evil)).toBe('AADSTS50011');
  expect(await codeOf(link({ client_id: clientId, redirect_uri: `${BACK}/` }))).toBe('AADSTS50011');
  expect(await codeOf(link({ client_id: '"><b>' }))).toBe('AADSTS700016');
  expect(await codeOf(link({}))).toBe('AADSTS900144');
  expect(await codeOf(link({ client_id: clientId }, 'elsewhere.example'))).toBe('AADSTS90002');
});

test('an application without an address is granted what it asks for, also one that the tenant had not let in', async () => {
  const application = register([]);
  const { applications } = tenant.tenant;
  applications.servicePrincipals.delete(applications.findPrincipalByAppId(application.clientId)?.id ?? '');
  const url = link({ client_id: application.clientId }, 'organizations');
  const granted = await send(url, { account: administrator(), answer: 'accept' });
  expect(granted.status).toBe(200);
  expect(await granted.text()).toContain('AADSTS500113');
  expect(await rolesOf(application)).toEqual(['Calendars.Read', 'Mail.Read']);
});
