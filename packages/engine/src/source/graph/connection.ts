import { countedSkew } from '../../model/clock-skew.ts';
import type { OnEvent } from '../../model/engine-event.ts';
import { type Clock, systemClock } from './clock.ts';
import { CLOUDS, type Cloud } from './cloud.ts';
import type { IdentityAddress } from './identity.ts';
import { type JsonObject, numberOf, objectsOf, textOf } from './json.ts';
import { reportingLongWaits } from './long-waits.ts';
import { type BatchOptions, type BatchReply, sendBatches } from './requests/batch.ts';
import { Budget } from './requests/budget.ts';
import { type DownloadCall, download } from './requests/download.ts';
import { heldBytes } from './requests/held-text.ts';
import { jsonOf } from './requests/json-reply.ts';
import { type GraphCall, Requests } from './requests/requests.ts';
import { sharedLimits } from './requests/shared-limits.ts';
import { openTransport, type Send } from './requests/transport.ts';
import { SharePoint } from './sharepoint/sharepoint.ts';
import { ROOT_SITES } from './sharepoint/sharepoint-hosts.ts';
import { type ApplicationCredentials, applicationOf } from './sign-in/application.ts';
import { beginDeviceCode, type DeviceCode } from './sign-in/device-code.ts';

export interface GraphOptions {
  cloud: Cloud;
  tenantId: string;
  /** Each with budgets of its own; work is spread over them. */
  applications: readonly ApplicationCredentials[];
  /** Instead of the cloud's URLs: the parts before `/{tenant}/oauth2/v2.0` and before `/v1.0`. */
  loginUrl?: string;
  graphUrl?: string;
  /** The part before the host of a site, instead of `https:/`; for tests. */
  sharePointUrl?: string;
  /** What carries all requests. Default: a transport of its own, whose own hosts are those of the two URLs above. */
  send?: Send;
  clock?: Clock;
  /** Of the tenant, for SharePoint's resource units; default: the smallest tier. `Infinity`: only what replies say counts. */
  licences?: number;
  /** For a whole reply, and for the longest time a download may pass without data. Default: two minutes. */
  timeLimitMs?: number;
  /** Attempts at a call that fails in a way that may pass: fewer where a person waits for the answer. Default: eight. */
  attemptsMax?: number;
}

/** One page of a collection or a delta round. */
export interface GraphPage {
  value: JsonObject[];
  /** Where the next page is; `null` on the last. */
  nextLink: string | null;
  /** Where the next round begins; only on the last page of a delta. */
  deltaLink: string | null;
  /** How many there are in all, where that was asked for (`$count=true`). */
  count?: number;
}

/**
 * A tenant as some of its applications reach it. Tokens belong to it; budgets and pauses to the process, whichever connection an application is used
 * by: Microsoft counts per application and tenant.
 *
 * All calls are repeated while that may help, obey `Retry-After` to the millisecond and wait for their budget. A path is below
 * the version (`/users/42`), or a link as Graph gave it. Refusals are `GraphError`s.
 */
export interface GraphConnection {
  readonly tenantId: string;
  readonly clock: Clock;
  /** How far this machine's clock is ahead of Graph's, as its last reply showed it; `null` before the first. */
  readonly skewMs: number | null;
  /** The present for cursors: Graph's instant where this machine's clock is wrong. */
  serverNow(): number;
  /** The JSON of a reply; `{}` for a reply without a body. */
  ask(call: GraphCall): Promise<JsonObject>;
  /** The bytes of a small reply. For large ones there is `download`. */
  askBytes(call: GraphCall): Promise<Buffer>;
  page(call: GraphCall): Promise<GraphPage>;
  /** All pages from a path or link on; the last one carries the delta link of a delta. */
  pages(call: GraphCall): AsyncGenerator<GraphPage>;
  /** Calls of one workload, any number of them, answered in their order and each for itself. */
  batch(calls: readonly GraphCall[], signal?: AbortSignal, options?: BatchOptions): Promise<BatchReply[]>;
  /** The bytes of a reply as they come, going on after a break. */
  download(call: DownloadCall): AsyncGenerator<Uint8Array>;
  /**
   * Says whose a mailbox is that the export of mailboxes knows by an id of its own. From then on calls by either name draw from the one
   * budget of that person's mailbox.
   */
  mailboxBelongsTo(mailboxId: string, user: string): void;
  /** SharePoint's own interface; `null` where no application has a certificate, without which it answers to none. */
  readonly sharePoint: SharePoint | null;
  /** The same connection for one piece of work, which alone hears of its long waits; tokens, budgets and pauses stay shared. */
  reportingTo(onEvent: OnEvent): GraphConnection;
  /** Begins a sign-in of a person; `scope` is a list of Graph's permissions such as `Mail.ReadWrite offline_access`. */
  beginDeviceCode(clientId: string, scope: string, signal: AbortSignal): Promise<DeviceCode>;
}

const TIME_LIMIT_MS = 120_000;
/** Replies that are held in memory at a time. With what Graph takes to answer, more than this is no faster. */
export const REQUESTS_AT_ONCE = 32;
const SMALLEST_TIER = 1_000;

/** Opens a connection. Nothing is sent before the first call. */
export function openGraphConnection(options: GraphOptions): GraphConnection {
  const address = identityAddressOf(options);
  const limited = options.applications.map((credentials) => {
    const key = [urlsOf(options).graphUrl, options.tenantId, credentials.clientId];
    return { credentials, limits: sharedLimits(options.licences ?? SMALLEST_TIER, address.clock, key) };
  });
  const applications = limited.map(({ credentials, limits }) =>
    applicationOf(credentials, address, scopeOf(options.cloud), limits),
  );
  const together = new Budget({ atOnce: REQUESTS_AT_ONCE, requests: [], units: [] }, address.clock);
  const requests = new Requests({ ...address, applications, baseUrl: `${urlsOf(options).graphUrl}/v1.0`, together });
  const certified = limited.filter(({ credentials }) => 'certificate' in credentials);
  const { cloud, sharePointUrl } = options;
  const parts = certified.length === 0 ? null : { cloud, address, applications: certified, sharePointUrl };
  return new Connection(address, requests, CLOUDS[cloud].graphUrl, (rootSites) =>
    parts === null ? null : new SharePoint(parts, rootSites),
  );
}

/** Where the tenant's applications sign in, and how requests get there. */
export function identityAddressOf(options: GraphOptions): IdentityAddress {
  const { loginUrl, graphUrl } = urlsOf(options);
  const own = [loginUrl, graphUrl, ...(options.sharePointUrl === undefined ? [] : [options.sharePointUrl])];
  return {
    loginUrl,
    tenantId: options.tenantId,
    send: options.send ?? openTransport(own.map((url) => new URL(url).hostname)),
    clock: options.clock ?? systemClock,
    timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
    attemptsMax: options.attemptsMax,
  };
}

/** Of the applications' tokens. It names the cloud's own host, also where Graph is reached by another. */
export const scopeOf = (cloud: Cloud) => `${CLOUDS[cloud].graphUrl}/.default`;

const urlsOf = ({ cloud, loginUrl, graphUrl }: GraphOptions) => ({
  loginUrl: loginUrl ?? CLOUDS[cloud].loginUrl,
  graphUrl: graphUrl ?? CLOUDS[cloud].graphUrl,
});

/** @param rootSites asks the connection that it is opened for */
type OpenSharePoint = (rootSites: () => Promise<JsonObject[]>) => SharePoint | null;

class Connection implements GraphConnection {
  readonly tenantId: string;
  readonly clock: Clock;
  private readonly address: IdentityAddress;
  private readonly requests: Requests;
  private readonly resource: string;
  readonly sharePoint: SharePoint | null;

  constructor(address: IdentityAddress, requests: Requests, resource: string, sharePoint: OpenSharePoint) {
    this.tenantId = address.tenantId;
    this.clock = address.clock;
    this.address = address;
    this.requests = requests;
    this.resource = resource;
    this.sharePoint = sharePoint(() => this.rootSites());
  }

  get skewMs(): number | null {
    return this.requests.skewMs;
  }

  serverNow(): number {
    return this.clock.now() - countedSkew(this.skewMs ?? 0);
  }

  ask(call: GraphCall): Promise<JsonObject> {
    return this.requests.perform(call, (admitted) => jsonOf(admitted, call));
  }

  askBytes(call: GraphCall): Promise<Buffer> {
    return this.requests.perform(call, ({ reply }) => heldBytes(reply, call.replyBytesMax));
  }

  async page(call: GraphCall): Promise<GraphPage> {
    // A page from another host would pass as content of the tenant.
    this.requests.links.requireOfGraph(call.path);
    const body = await this.ask(call);
    const count = numberOf(body['@odata.count']);
    return {
      ...(count !== undefined && { count }),
      value: objectsOf(body['value']),
      nextLink: textOf(body['@odata.nextLink']) ?? null,
      deltaLink: textOf(body['@odata.deltaLink']) ?? null,
    };
  }

  async *pages(call: GraphCall): AsyncGenerator<GraphPage> {
    for (let path: string | null = call.path; path !== null; ) {
      const page: GraphPage = await this.page({ ...call, path });
      yield page;
      path = page.nextLink;
    }
  }

  async batch(calls: readonly GraphCall[], signal?: AbortSignal, options?: BatchOptions): Promise<BatchReply[]> {
    return sendBatches(this.requests, calls, signal, options);
  }

  download(call: DownloadCall): AsyncGenerator<Uint8Array> {
    return download(this.requests, call);
  }

  mailboxBelongsTo(mailboxId: string, user: string): void {
    this.requests.mailboxBelongsTo(mailboxId, user);
  }

  reportingTo(onEvent: OnEvent): GraphConnection {
    const whose = `Microsoft 365 (organization ${this.tenantId})`;
    const clock = reportingLongWaits(this.clock.of ?? this.clock, whose, onEvent);
    const { address, requests, resource, sharePoint } = this;
    return new Connection(
      { ...address, clock },
      requests.by(clock),
      resource,
      (rootSites) => sharePoint?.by(clock, rootSites) ?? null,
    );
  }

  beginDeviceCode(clientId: string, scope: string, signal: AbortSignal): Promise<DeviceCode> {
    const scopes = scope
      .split(/\s+/)
      .map((name) => (/^(?:offline_access|openid|profile)$|\//.test(name) ? name : `${this.resource}/${name}`));
    return beginDeviceCode(this.address, clientId, scopes.join(' '), signal);
  }

  private async rootSites(): Promise<JsonObject[]> {
    const sites: JsonObject[] = [];
    for await (const { value } of this.pages({ path: ROOT_SITES })) sites.push(...value);
    return sites;
  }
}
