import { EngineError } from '../../../model/engine-error.ts';
import type { Clock } from '../clock.ts';
import type { Cloud } from '../cloud.ts';
import type { IdentityAddress } from '../identity.ts';
import { type JsonObject, objectsOf, textOf } from '../json.ts';
import { download } from '../requests/download.ts';
import { jsonOf } from '../requests/json-reply.ts';
import type { Limits } from '../requests/limits.ts';
import { type GraphCall, Requests } from '../requests/requests.ts';
import { type Application, type ApplicationCredentials, applicationOf } from '../sign-in/application.ts';
import { ownHostsOf, siteAddressOf } from './sharepoint-hosts.ts';

/** One site by SharePoint's own REST interface. Paths are those behind `/_api/`. */
export interface SharePointSite {
  ask(path: string, signal: AbortSignal): Promise<JsonObject>;
  /** The entities of a list, over all its pages. */
  all(path: string, signal: AbortSignal): Promise<JsonObject[]>;
  download(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Sends bytes as the body of a POST. */
  send(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<JsonObject>;
}

export interface SharePointParts {
  cloud: Cloud;
  address: IdentityAddress;
  /** Those with a certificate, and the limits that they have for Graph too. */
  applications: readonly { credentials: ApplicationCredentials; limits: Limits }[];
  /** Instead of `https:/`: what is before the host, in tests. */
  sharePointUrl: string | undefined;
}

/** The root sites of the tenant, as Graph gives them. */
type RootSites = () => Promise<JsonObject[]>;

const JSON_FORM = { accept: 'application/json;odata=nometadata' };

/**
 * SharePoint's own REST interface, with a token for each of the tenant's hosts. It gives what Graph has not, to applications that prove themselves with
 * a certificate alone. https://learn.microsoft.com/sharepoint/dev/solution-guidance/security-apponly-azuread
 */
export class SharePoint {
  private readonly parts: SharePointParts;
  private readonly rootSites: RootSites;
  /** With the tokens of each host, which all pieces of work share. */
  private readonly applications: Map<string, Application[]>;
  private readonly byHost = new Map<string, Requests>();
  private hosts: Promise<ReadonlySet<string>> | null = null;

  constructor(parts: SharePointParts, rootSites: RootSites, applications = new Map<string, Application[]>()) {
    this.parts = parts;
    this.rootSites = rootSites;
    this.applications = applications;
  }

  /** The same for a piece of work, which waits by a clock of its own. */
  by(clock: Clock, rootSites: RootSites): SharePoint {
    const { parts, applications } = this;
    return new SharePoint({ ...parts, address: { ...parts.address, clock } }, rootSites, applications);
  }

  /** @throws EngineError for a site that is at none of the tenant's own hosts */
  async site(webUrl: string | undefined): Promise<SharePointSite> {
    const { host, path } = siteAddressOf(webUrl, await this.ownHosts());
    return siteBy(this.requestsTo(host), `${path}/_api/`);
  }

  /** A token for the tenant's first host, which says what may be done there. @throws EngineError when none is given */
  async token(): Promise<string> {
    const [host] = await this.ownHosts();
    const [application] = host === undefined ? [] : this.applicationsOf(host);
    if (application !== undefined) return application.token.get(this.parts.address.clock);
    throw new EngineError('not-found', 'Microsoft Graph names no site of the organization.');
  }

  private ownHosts(): Promise<ReadonlySet<string>> {
    this.hosts ??= this.rootSites().then((sites) => ownHostsOf(sites, this.parts.cloud));
    this.hosts.catch(() => {
      this.hosts = null;
    });
    return this.hosts;
  }

  private requestsTo(host: string): Requests {
    const known = this.byHost.get(host);
    if (known !== undefined) return known;
    const { address, sharePointUrl } = this.parts;
    const baseUrl = sharePointUrl === undefined ? `https://${host}` : `${sharePointUrl}/${host}`;
    const requests = new Requests({ ...address, applications: this.applicationsOf(host), baseUrl });
    this.byHost.set(host, requests);
    return requests;
  }

  private applicationsOf(host: string): Application[] {
    const known = this.applications.get(host);
    if (known !== undefined) return known;
    const { address, applications } = this.parts;
    const scope = `https://${host}/.default`;
    const made = applications.map(({ credentials, limits }) => applicationOf(credentials, address, scope, limits));
    this.applications.set(host, made);
    return made;
  }
}

function siteBy(requests: Requests, base: string): SharePointSite {
  const ask = (call: GraphCall) => requests.perform(call, (admitted) => jsonOf(admitted, call));
  return {
    ask: (path, signal) => ask({ path: base + path, headers: JSON_FORM, signal }),
    async all(path, signal) {
      const found: JsonObject[] = [];
      for (let next: string | undefined = base + path; next !== undefined; ) {
        const page = await ask({ path: next, headers: JSON_FORM, signal });
        found.push(...objectsOf(page['value']));
        next = ownPath(requests, textOf(page['odata.nextLink']));
      }
      return found;
    },
    download: (path, signal) => download(requests, { path: base + path, signal }),
    send: (path, body, signal) => ask({ method: 'POST', path: base + path, headers: JSON_FORM, body, signal }),
  };
}

/** The path of a link to the next page. @throws EngineError for a link that leads elsewhere */
function ownPath(requests: Requests, link: string | undefined): string | undefined {
  if (link === undefined) return undefined;
  const path = requests.pathOf(link);
  if (path.startsWith('/')) return path;
  throw new EngineError(
    'source-refused',
    'SharePoint answered with a link to a page that is not its own: it is not followed.',
  );
}

/** A value in quotes, as paths of the interface contain it. */
export const quoted = (text: string): string =>
  `'${encodeURIComponent(text.replaceAll("'", "''")).replaceAll("'", '%27')}'`;
