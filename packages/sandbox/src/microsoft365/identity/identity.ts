import type { Tenant } from '../tenant.ts';
import { splitOnce } from '../wire/graph.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { WireRequest } from '../wire/http.ts';
import type { AccessTokens } from './access-tokens.ts';
import { clientCredentials } from './client-credentials.ts';
import { OAuthError, oauthRefusal } from './oauth-error.ts';

/** What the identity platform is made of. */
export interface IdentityParts {
  tenants: ReadonlyMap<string, Tenant>;
  tokens: AccessTokens;
  nowMs: () => number;
  accessTokenLifetimeMs: number;
}

/** The endpoints below `/{tenant}/oauth2/v2.0`. */
export class Identity {
  readonly parts: IdentityParts;

  constructor(parts: IdentityParts) {
    this.parts = parts;
  }

  /** `undefined` for a path that is none of the identity platform's. */
  answer(request: WireRequest): GraphReply | undefined {
    const [path] = splitOnce(request.fullUrl, '?');
    const found = /^\/([^/]+)\/oauth2\/v2\.0\/(token)$/.exec(path);
    if (!found || request.method !== 'POST') return undefined;
    const [, tenantName = ''] = found;
    try {
      return this.token(tenantName, readForm(request.body));
    } catch (error) {
      if (error instanceof OAuthError) return oauthRefusal(error, request.ids.requestId, this.parts.nowMs());
      throw error;
    }
  }

  private token(tenantName: string, form: URLSearchParams): GraphReply {
    const tenant = this.tenant(tenantName);
    switch (form.get('grant_type')) {
      case 'client_credentials':
        return clientCredentials(this.parts, tenant, form);
      default:
        throw new OAuthError('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.');
    }
  }

  private tenant(name: string): Tenant {
    const { tenants } = this.parts;
    const tenant =
      tenants.get(name.toLowerCase()) ?? tenants.values().find(({ domain }) => domain === name.toLowerCase());
    if (tenant) return tenant;
    throw new OAuthError(
      'invalid_request',
      90002,
      `Tenant '${name}' not found. Check to make sure you have the correct tenant ID.`,
    );
  }
}

function readForm(body: unknown): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
}
