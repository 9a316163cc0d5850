import {
  constants,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  X509Certificate,
} from 'node:crypto';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { postForm, TenantClient } from '../testing/tenant-client.ts';
import { textOf, valueAt } from '../wire/json.ts';

const startMs = Date.parse('2026-11-21T09:00:00Z');
let tenant: RunningTenant;
let tokenUrl: string;
let pems: { private: string; cert: string };

beforeAll(async () => {
  tenant = await startTenant({ size: 'empty', now: () => new Date(startMs) });
  tokenUrl = `${tenant.loginUrl}/${tenant.tenantId}/oauth2/v2.0/token`;
  pems = await generate([{ name: 'commonName', value: 'engine' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: new Date(startMs - 86_400_000),
    notAfterDate: new Date(startMs + 365 * 86_400_000),
  });
  tenant.addCertificate(pems.cert);
});
afterAll(() => tenant.stop());

const client = (fields: Record<string, string>) =>
  postForm(tokenUrl, {
    grant_type: 'client_credentials',
    client_id: tenant.application.clientId,
    scope: 'https://graph.microsoft.com/.default',
    ...fields,
  });

const codeOf = (body: unknown) => valueAt(body, 'error_codes');

describe('an application with a secret', () => {
  test('gets a token for about an hour that Graph takes', async () => {
    const { status, body } = await client({ client_secret: tenant.application.clientSecret });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3599 });
    const graph = new TenantClient(tenant, textOf(valueAt(body, 'access_token')) ?? '');
    expect((await graph.get('/organization')).status).toBe(200);
  });

  test.each([
    ['with a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client', 7000215],
    ['without proof', {}, 401, 'invalid_client', 7000218],
    ['that is unknown', { client_id: randomUUID(), client_secret: 'x' }, 400, 'unauthorized_client', 700016],
    ['with a scope of its own', { client_secret: 'x', scope: 'Mail.Read' }, 400, 'invalid_scope', 1002012],
    ['with an unknown grant', { grant_type: 'password' }, 400, 'unsupported_grant_type', 70003],
  ])('%s is refused', async (_what, fields, status, error, code) => {
    const answer = await client(fields);
    expect(answer).toMatchObject({ status, body: { error, error_codes: [code] } });
    expect(valueAt(answer.body, 'error_description')).toMatch(`AADSTS${code}: `);
  });

  test('of an unknown tenant is refused', async () => {
    const url = tokenUrl.replace(tenant.tenantId, randomUUID());
    expect(codeOf((await postForm(url, { grant_type: 'client_credentials' })).body)).toEqual([90002]);
  });

  test('whose permissions do not reach is refused by Graph with 403', async () => {
    const { clientId: client_id, clientSecret: client_secret } = tenant.registerApplication(['User.Read.All']);
    const { body } = await client({ client_id, client_secret });
    const graph = new TenantClient(tenant, textOf(valueAt(body, 'access_token')) ?? '');
    expect((await graph.get('/users')).status).toBe(200);
    const code = (answer: { body: unknown }) => valueAt(answer.body, 'error/code');
    expect(await graph.get('/groups').then(code)).toBe('Authorization_RequestDenied');
    expect(await graph.get('/users/x/messages').then(code)).toBe('ErrorAccessDenied');
  });
});

describe('an application with a certificate', () => {
  function assertion(header: object, claims: object, key = pems.private): string {
    const print = (algorithm: string) =>
      createHash(algorithm).update(new X509Certificate(pems.cert).raw).digest('base64url');
    const now = startMs / 1000;
    const { clientId } = tenant.application;
    const parts = [
      { alg: 'RS256', typ: 'JWT', x5t: print('sha1'), ...header },
      { aud: tokenUrl, iss: clientId, sub: clientId, jti: randomUUID(), nbf: now, exp: now + 600, ...claims },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const isPss = 'alg' in header && header.alg === 'PS256';
    const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const signature = sign('sha256', Buffer.from(text), {
      key: createPrivateKey(key),
      padding,
      ...(isPss ? { saltLength: 32 } : {}),
    });
    return `${text}.${signature.toString('base64url')}`;
  }
  const ask = (client_assertion: string) =>
    client({ client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', client_assertion });

  test('gets a token for an assertion by RS256 or PS256, and each assertion once', async () => {
    const s256 = createHash('sha256').update(new X509Certificate(pems.cert).raw).digest('base64url');
    const first = assertion({}, {});
    expect((await ask(first)).status).toBe(200);
    expect((await ask(assertion({ alg: 'PS256', x5t: undefined, 'x5t#S256': s256 }, {}))).status).toBe(200);
    expect(await ask(first)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test.each([
    ['of an unknown certificate', { x5t: 'AAAA' }, {}, 700027],
    ['for another audience', {}, { aud: 'https://example.com' }, 700023],
    ['of another issuer', {}, { iss: 'x' }, 700023],
    ['that has expired', {}, { nbf: startMs / 1000 - 4000, exp: startMs / 1000 - 3000 }, 700024],
  ])('is refused an assertion %s', async (_what, header, claims, code) => {
    expect(codeOf((await ask(assertion(header, claims))).body)).toEqual([code]);
  });

  test('is refused an assertion another key has signed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(codeOf((await ask(assertion({}, {}, key))).body)).toEqual([700027]);
  });

  test('rolls its key with a proof that it has the present one, and with no other', async () => {
    const graph = await TenantClient.signIn(tenant);
    const { clientId } = tenant.application;
    const { body } = await graph.get(`/applications(appId='${clientId}')`);
    const id = textOf(valueAt(body, 'id')) ?? '';
    const proof = assertion({}, { aud: '00000002-0000-0000-c000-000000000000', iss: id });
    const key = new X509Certificate(pems.cert).raw.toString('base64');
    const keyCredential = { type: 'AsymmetricX509Cert', usage: 'Verify', key };
    const ask = (text: string) => graph.ask('POST', `/applications/${id}/addKey`, { keyCredential, proof: text });
    expect((await ask(assertion({}, {}))).status).toBe(401);
    expect(await ask(proof)).toMatchObject({ status: 200, body: { type: 'AsymmetricX509Cert' } });
  });
});

describe('a device code', () => {
  const publicClient = '14d82eec-204b-4c2f-b7e8-296a70dab67e';
  const start = async () =>
    (
      await postForm(tokenUrl.replace(/token$/, 'devicecode'), {
        client_id: publicClient,
        scope: 'https://graph.microsoft.com/User.Read.All offline_access',
      })
    ).body;
  const poll = (device_code: unknown) =>
    postForm(tokenUrl, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: publicClient,
      device_code: String(device_code),
    });
  const error = (answer: { body: unknown }) => valueAt(answer.body, 'error');

  test('waits for a person, then gives a token of theirs and one to refresh it with', async () => {
    const code = await start();
    expect(code).toMatchObject({ expires_in: 900, interval: 5 });
    expect(error(await poll(valueAt(code, 'device_code')))).toBe('authorization_pending');
    expect(error(await poll(valueAt(code, 'device_code')))).toBe('slow_down');
    const userCode = String(valueAt(code, 'user_code'));
    expect(tenant.settleDeviceCode(userCode, `admin@${tenant.domain}`)).toBe(true);
    const { status, body } = await poll(valueAt(code, 'device_code'));
    expect(status).toBe(200);
    const graph = new TenantClient(tenant, textOf(valueAt(body, 'access_token')) ?? '');
    expect((await graph.get('/me')).body).toMatchObject({ userPrincipalName: `admin@${tenant.domain}` });
    const refreshed = await postForm(tokenUrl, {
      grant_type: 'refresh_token',
      client_id: publicClient,
      refresh_token: textOf(valueAt(body, 'refresh_token')) ?? '',
    });
    expect(refreshed.status).toBe(200);
    expect(error(await poll(valueAt(code, 'device_code')))).toBe('bad_verification_code');
  });

  test('can be declined, be wrong, and grow old', async () => {
    const declined = await start();
    tenant.settleDeviceCode(String(valueAt(declined, 'user_code')));
    expect(error(await poll(valueAt(declined, 'device_code')))).toBe('authorization_declined');
    expect(error(await poll('nonsense'))).toBe('bad_verification_code');
    const old = await start();
    tenant.advance(901_000);
    expect(error(await poll(valueAt(old, 'device_code')))).toBe('expired_token');
  });
});

test('a token ends after its hour', async () => {
  const graph = await TenantClient.signIn(tenant);
  tenant.advance(3_600_000);
  expect(await graph.get('/organization')).toMatchObject({
    status: 401,
    body: { error: { code: 'InvalidAuthenticationToken' } },
  });
});
