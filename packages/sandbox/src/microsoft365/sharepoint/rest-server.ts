import { appliesTo } from '../behaviours/behaviours.ts';
import { refusalOf } from '../faults/refusals.ts';
import type { AccessTokens, Grant } from '../identity/access-tokens.ts';
import type { Site } from '../sites/site.ts';
import type { Tenant } from '../tenant.ts';
import { splitOnce } from '../wire/graph.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { WireRequest } from '../wire/http.ts';
import type { Traffic } from '../wire/traffic.ts';
import { denied, notFound, RestError } from './rest-call.ts';
import { type RestRight, restRoutes } from './rest-routes.ts';

/** Application permissions of SharePoint itself, which are others than those of Graph with the same names. */
export const sharePointPermissions = [
  'Sites.Read.All',
  'Sites.ReadWrite.All',
  'Sites.Manage.All',
  'Sites.FullControl.All',
] as const;

const ALLOWED: Readonly<Record<RestRight, readonly string[]>> = {
  read: sharePointPermissions,
  write: sharePointPermissions.slice(1),
  permissions: ['Sites.FullControl.All'],
};

export interface RestParts {
  tenants: ReadonlyMap<string, Tenant>;
  tokens: AccessTokens;
  traffic: Traffic;
  nowMs: () => number;
}

/**
 * SharePoint's own REST interface: behind the address of the sandbox, `/sharepoint/`, the host of the site and its path comes `/_api/…`.
 * https://learn.microsoft.com/sharepoint/dev/sp-add-ins/working-with-lists-and-list-items-with-rest
 */
export class SharePointRest {
  private readonly parts: RestParts;

  constructor(parts: RestParts) {
    this.parts = parts;
  }

  /** `undefined` for a path that is none of SharePoint's. */
  async answer(request: WireRequest): Promise<GraphReply | undefined> {
    const [full, search] = splitOnce(request.fullUrl, '?');
    const found = /^\/sharepoint\/([^/]+)((?:\/[^/]+)*?)\/_api\/(.+)$/.exec(full);
    if (found === null) return undefined;
    const [, host = '', sitePath = '', path = ''] = found;
    const { traffic, nowMs } = this.parts;
    try {
      const query = new URLSearchParams(search);
      const refused = request.fault && refusalOf(request.fault, query, nowMs());
      if (refused) throw refused;
      const reply = this.run(request, host, decodeURIComponent(sitePath), path, query);
      traffic.count(operationOf(request.method, path), reply.status);
      return reply;
    } catch (error) {
      const reply = refusalReply(error);
      traffic.count(operationOf(request.method, path), reply.status);
      return reply;
    }
  }

  private run(request: WireRequest, host: string, sitePath: string, path: string, query: URLSearchParams): GraphReply {
    const grant = this.grantFor(request.headers['authorization'], host);
    const tenant = this.parts.tenants.get(grant.tenantId);
    const site = tenant?.sites.all().find(({ facts }) => facts.hostname === host && facts.path === sitePath);
    if (tenant === undefined || site === undefined) throw notFound();
    requireOpen(tenant, site);
    const { method, origin, fullUrl, body } = request;
    for (const { method: own, path: template, right, handle } of restRoutes) {
      const parts = own === method ? template.exec(path) : null;
      if (parts === null) continue;
      if (!ALLOWED[right].some((name) => grant.permissions.has(name))) throw denied();
      const url = origin + splitOnce(fullUrl, '?')[0];
      return handle({ tenant, site, path, query, url, body }, parts.slice(1));
    }
    throw new RestError(404, '-1, Microsoft.SharePoint.Client.ResourceNotFoundException', `Cannot find ${path}.`);
  }

  /**
   * A token that an application asked for with a secret is refused, whatever permissions it has.
   * https://learn.microsoft.com/sharepoint/dev/solution-guidance/security-apponly-azuread
   */
  private grantFor(authorization: string | undefined, host: string): Grant {
    const grant = this.parts.tokens.read(authorization, `https://${host}`);
    if (grant.userId === null && grant.hasCertificate !== true) throw new UnsupportedToken();
    return grant;
  }
}

class UnsupportedToken extends Error {}

function refusalReply(error: unknown): GraphReply {
  if (error instanceof UnsupportedToken)
    return { status: 401, body: { error: 'invalid_request', error_description: 'Unsupported app only token.' } };
  const { status, code, message, headers } =
    error instanceof GraphError || error instanceof RestError
      ? { headers: {}, ...error, message: error.message }
      : { status: 500, code: 'SandboxError', message: String(error), headers: {} };
  return { status, headers, body: { 'odata.error': { code, message: { lang: 'en-US', value: message } } } };
}

function requireOpen({ behaviours }: Tenant, { id }: Site): void {
  if (appliesTo(behaviours.lockedSites, id)) throw new RestError(423, '-2147018887', 'The site is locked.');
  if (appliesTo(behaviours.archivedSites, id)) throw denied();
}

/** Without ids, so that calls can be counted. */
function operationOf(method: string, path: string): string {
  return `${method} _api/${path.replace(/\(.*?\)(?=\/|$)/g, '()')}`;
}
