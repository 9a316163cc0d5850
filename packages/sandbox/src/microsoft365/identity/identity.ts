import { graphAppId } from '../applications/permissions.ts';
import { asksWithClaims, requireAdmission } from '../behaviours/claims-challenge.ts';
import type { Tenant } from '../tenant.ts';
import { splitOnce } from '../wire/graph.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { WireRequest } from '../wire/http.ts';
import type { AccessTokens, Grant } from './access-tokens.ts';
import { checkProof } from './client-proof.ts';
import { RefreshTokens, type SignIn } from './delegated.ts';
import { DeviceCodes, deviceCodeInterval, deviceCodeLifetime } from './device-codes.ts';
import { OAuthError, oauthRefusal } from './oauth-error.ts';

/** What the identity platform is made of. */
export interface IdentityParts {
  tenants: ReadonlyMap<string, Tenant>;
  tokens: AccessTokens;
  nowMs: () => number;
  accessTokenLifetimeMs: number;
}

/** Names that mean the tenant of the user who signs in. */
const anyTenant = ['common', 'organizations'];
const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';
/** Applications of the vendor itself that no tenant registers, with which administrators sign in by device code. */
const wellKnownClients = ['14d82eec-204b-4c2f-b7e8-296a70dab67e', '1950a258-227b-4e31-a9cf-717495945fc2'];

/** The endpoints below `/{tenant}/oauth2/v2.0`. */
export class Identity {
  readonly deviceCodes: DeviceCodes;
  readonly refreshTokens: RefreshTokens;
  private readonly parts: IdentityParts;
  private readonly usedIds = new Map<string, number>();

  constructor(parts: IdentityParts) {
    this.parts = parts;
    this.deviceCodes = new DeviceCodes(parts.nowMs);
    this.refreshTokens = new RefreshTokens(parts.nowMs);
  }

  /** `undefined` for a path that is none of the identity platform's. */
  answer(request: WireRequest): GraphReply | undefined {
    const [path] = splitOnce(request.fullUrl, '?');
    const found = /^\/([^/]+)\/oauth2\/v2\.0\/(token|devicecode)$/i.exec(path);
    if (!found || request.method !== 'POST') return undefined;
    const [, tenantName = '', endpoint = ''] = found;
    try {
      const form = readForm(request.body);
      return endpoint.toLowerCase() === 'token'
        ? this.token(tenantName, form, request)
        : this.deviceCode(tenantName, form, request);
    } catch (error) {
      if (error instanceof OAuthError) return oauthRefusal(error, request.ids.requestId, this.parts.nowMs());
      throw error;
    }
  }

  private deviceCode(tenantName: string, form: URLSearchParams, { origin }: WireRequest): GraphReply {
    const tenant = anyTenant.includes(tenantName) ? undefined : this.tenant(tenantName);
    const clientId = form.get('client_id') ?? '';
    if (tenant) checkKnown(tenant, clientId);
    else this.requireKnownSomewhere(clientId);
    const scope = form.get('scope') ?? '';
    const { deviceCode, userCode } = this.deviceCodes.start(tenant?.id ?? '', clientId, scope);
    const verification = `${origin}/devicelogin`;
    return {
      status: 200,
      body: {
        user_code: userCode,
        device_code: deviceCode,
        verification_uri: verification,
        expires_in: deviceCodeLifetime,
        interval: deviceCodeInterval,
        message: `To sign in, use a web browser to open the page ${verification} and enter the code ${userCode} to authenticate.`,
      },
    };
  }

  private requireKnownSomewhere(clientId: string): void {
    const isKnown = this.parts.tenants.values().some(({ applications }) => applications.findByAppId(clientId));
    if (!isKnown && !wellKnownClients.includes(clientId)) throw unknownClient(clientId, 'organizations');
  }

  private token(tenantName: string, form: URLSearchParams, request: WireRequest): GraphReply {
    const clientId = form.get('client_id') ?? '';
    switch (form.get('grant_type')) {
      case 'client_credentials':
        return this.clientCredentials(this.tenant(tenantName), form, request);
      case deviceCodeGrant: {
        const { tenantId, userId, scope } = this.deviceCodes.redeem(form.get('device_code') ?? '', clientId);
        const tenant = this.tenantOfUser(tenantId, userId);
        return this.delegated({ tenantId: tenant.id, clientId, userId, scope });
      }
      case 'refresh_token':
        return this.delegated(this.refreshTokens.redeem(form.get('refresh_token') ?? '', clientId));
      default:
        throw new OAuthError('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.');
    }
  }

  private clientCredentials(tenant: Tenant, form: URLSearchParams, request: WireRequest): GraphReply {
    const application = checkKnown(tenant, form.get('client_id') ?? '');
    if (!application) throw new OAuthError('unauthorized_client', 700016, 'Only registered applications can do this.');
    // What was just made is not known everywhere at once, here as little as in the directory.
    if (tenant.applications.isReplicating(application.id)) throw unknownClient(application.appId, tenant.displayName);
    const scope = form.get('scope') ?? '';
    if (!/\/\.default$/.test(scope)) {
      throw new OAuthError(
        'invalid_scope',
        1002012,
        `The provided value for scope ${scope} is not valid: it must end in /.default.`,
      );
    }
    const url = `${request.origin}${splitOnce(request.fullUrl, '?')[0]}`;
    const audiences = [
      url,
      url.replace(/\/oauth2\/v2\.0\/token$/i, '/v2.0'),
      `${request.origin}/${tenant.id}/oauth2/v2.0/token`,
    ];
    checkProof(application, form, { audiences, nowMs: this.parts.nowMs(), usedIds: this.usedIds });
    if (!tenant.applications.findPrincipalByAppId(application.appId)) {
      throw new OAuthError(
        'invalid_client',
        7000229,
        'The client application is missing service principal in the tenant.',
        401,
      );
    }
    requireAdmission(tenant, application.appId);
    const audience = sharePointOf(scope);
    if (audience !== undefined && !isOwnHost(tenant, audience)) throw unknownResource(tenant, audience);
    const permissions =
      audience === undefined
        ? tenant.applications.permissionsOf(application.appId)
        : (tenant.applications.sharePoint.get(application.appId) ?? new Set<string>());
    const hasCertificate = form.get('client_assertion') !== null;
    const what = { hasClaims: asksWithClaims(form), hasCertificate, ...(audience === undefined ? {} : { audience }) };
    return this.issue(tenant, application.appId, null, permissions, {}, what);
  }

  private delegated(signIn: SignIn): GraphReply {
    const { clientId, userId, scope } = signIn;
    const tenant = this.tenantOfUser(signIn.tenantId, userId);
    const granted = this.grantedScopes(tenant, clientId, scope);
    const permissions = new Set(granted);
    const refresh: Record<string, string> = /offline_access/.test(scope)
      ? { refresh_token: this.refreshTokens.issue(signIn) }
      : {};
    return this.issue(tenant, clientId, userId, permissions, { scope: granted.join(' '), ...refresh });
  }

  /** Administrators consent by asking; other users need a consent that is on record. */
  private grantedScopes(tenant: Tenant, clientId: string, scope: string): string[] {
    const asked = scope
      .split(/\s+/)
      .map((name) => name.replace(/^https?:\/\/[^/]+\//, ''))
      .filter((name) => name !== '' && !['offline_access', 'openid', 'profile', 'email'].includes(name));
    const principal = tenant.applications.findPrincipalByAppId(clientId);
    const onRecord = [...tenant.applications.grants.values()]
      .filter((grant) => grant.clientId === principal?.id)
      .flatMap((grant) => grant.scope.split(/\s+/));
    if (tenant.deniesConsent && !asked.every((name) => onRecord.includes(name))) {
      throw new OAuthError(
        'invalid_grant',
        65001,
        `The user or administrator has not consented to use the application with ID '${clientId}'.`,
      );
    }
    return asked.includes('.default') ? [...new Set([...onRecord, 'User.Read'])] : asked;
  }

  private issue(
    tenant: Tenant,
    applicationId: string,
    userId: string | null,
    permissions: ReadonlySet<string>,
    more: Readonly<Record<string, string>>,
    what: Pick<Grant, 'hasClaims' | 'hasCertificate' | 'audience'> = {},
  ): GraphReply {
    const { tokens, nowMs, accessTokenLifetimeMs } = this.parts;
    const expiresMs = nowMs() + accessTokenLifetimeMs;
    const access_token = tokens.issue({
      applicationId,
      userId,
      permissions,
      ...what,
      tenantId: tenant.id,
      expiresMs,
    });
    const seconds = Math.floor(accessTokenLifetimeMs / 1000);
    return {
      status: 200,
      headers: { 'cache-control': 'no-store, no-cache' },
      body: { token_type: 'Bearer', expires_in: seconds, ext_expires_in: seconds, access_token, ...more },
    };
  }

  private tenant(name: string): Tenant {
    const { tenants } = this.parts;
    const requested = name.toLowerCase();
    const tenant = tenants.get(requested) ?? tenants.values().find(({ domain }) => domain === requested);
    if (tenant) return tenant;
    throw new OAuthError(
      'invalid_request',
      90002,
      `Tenant '${name}' not found. Check to make sure you have the correct tenant ID.`,
    );
  }

  private tenantOfUser(tenantId: string, userId: string): Tenant {
    const tenants = [...this.parts.tenants.values()].filter(({ id }) => tenantId === '' || id === tenantId);
    const tenant = tenants.find(({ directory }) => directory.findUser(userId)?.accountEnabled);
    if (tenant) return tenant;
    throw new OAuthError('invalid_grant', 50034, 'The user account does not exist in the directory or is disabled.');
  }
}

/** The host of SharePoint that a token is asked for; `undefined` for Graph. */
const sharePointOf = (scope: string): string | undefined =>
  /^(https:\/\/[^/]*sharepoint[^/]*)\/\.default$/.exec(scope)?.[1];

const isOwnHost = ({ sites }: Tenant, audience: string) =>
  sites.all().some(({ facts }) => `https://${facts.hostname}` === audience);

const unknownResource = ({ displayName }: Tenant, audience: string) =>
  new OAuthError(
    'invalid_resource',
    500011,
    `The resource principal named ${audience} was not found in the tenant named ${displayName}.`,
  );

/** The registered application; `undefined` for one of the vendor's own. @throws OAuthError for an unknown one */
function checkKnown(tenant: Tenant, clientId: string) {
  const application = tenant.applications.findByAppId(clientId);
  if (application || wellKnownClients.includes(clientId) || clientId === graphAppId) return application;
  throw unknownClient(clientId, tenant.displayName);
}

const unknownClient = (clientId: string, directory: string) =>
  new OAuthError(
    'unauthorized_client',
    700016,
    `Application with identifier '${clientId}' was not found in the directory '${directory}'.`,
  );

function readForm(body: unknown): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
}
