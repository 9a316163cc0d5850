import type { Tenant } from '../tenant.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { IdentityParts } from './identity.ts';
import { OAuthError } from './oauth-error.ts';

/** A token for an application by itself. */
export function clientCredentials(parts: IdentityParts, tenant: Tenant, form: URLSearchParams): GraphReply {
  const clientId = form.get('client_id') ?? '';
  const application = tenant.applications.findByAppId(clientId);
  if (!application) {
    throw new OAuthError(
      'unauthorized_client',
      700016,
      `Application with identifier '${clientId}' was not found in the directory '${tenant.displayName}'.`,
    );
  }
  const secret = application.passwordCredentials.find(({ secretText }) => secretText === form.get('client_secret'));
  if (!secret) {
    throw new OAuthError('invalid_client', 7000215, `Invalid client secret provided for app '${clientId}'.`, 401);
  }
  const expiresMs = parts.nowMs() + parts.accessTokenLifetimeMs;
  const permissions = tenant.applications.permissionsOf(clientId);
  const token = parts.tokens.issue({
    applicationId: clientId,
    userId: null,
    permissions,
    tenantId: tenant.id,
    expiresMs,
  });
  const seconds = Math.floor(parts.accessTokenLifetimeMs / 1000);
  return {
    status: 200,
    headers: { 'cache-control': 'no-store, no-cache' },
    body: { token_type: 'Bearer', expires_in: seconds, ext_expires_in: seconds, access_token: token },
  };
}
