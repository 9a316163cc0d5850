import type { RunningTenant } from '../server.ts';
import { valueAt } from '../wire/json.ts';
import { postForm, TenantClient } from './tenant-client.ts';

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
