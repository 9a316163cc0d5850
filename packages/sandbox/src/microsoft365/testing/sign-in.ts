import { createHash, randomUUID, sign, X509Certificate } from 'node:crypto';
import type { RunningTenant } from '../server.ts';
import { valueAt } from '../wire/json.ts';
import { postForm, type TenantAddress, TenantClient } from './tenant-client.ts';

/** A client of a person who signs in by device code, with some scopes such as `Mail.Read`. */
export async function signedInAs(tenant: RunningTenant, user: string, ...scopes: string[]): Promise<TenantClient> {
  const base = `${tenant.loginUrl}/${tenant.tenantId}/oauth2/v2.0`;
  const client_id = tenant.application.clientId;
  const scope = scopes.map((name) => `https://graph.microsoft.com/${name}`).join(' ');
  const code = await postForm(`${base}/devicecode`, { client_id, scope });
  tenant.settleDeviceCode(String(valueAt(code.body, 'user_code')), user);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const device_code = String(valueAt(code.body, 'device_code'));
  const { body } = await postForm(`${base}/token`, { grant_type, client_id, device_code });
  return new TenantClient(tenant, String(valueAt(body, 'access_token')));
}

/** What an application proves itself with by its certificate, in the form of a token request. */
export function assertionOf(
  { loginUrl, tenantId, application }: TenantAddress,
  { private: key, cert }: { private: string; cert: string },
): Record<string, string> {
  const { clientId } = application;
  const seconds = Math.floor(Date.now() / 1000);
  const thumbprint = createHash('sha1').update(new X509Certificate(cert).raw).digest('base64url');
  const claims = {
    aud: `${loginUrl}/${tenantId}/oauth2/v2.0/token`,
    iss: clientId,
    sub: clientId,
    jti: randomUUID(),
    nbf: seconds - 60,
    exp: seconds + 600,
  };
  const parts = [{ alg: 'RS256', typ: 'JWT', x5t: thumbprint }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const client_assertion = `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  return { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', client_assertion };
}
