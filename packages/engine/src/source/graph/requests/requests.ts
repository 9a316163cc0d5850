import { EngineError } from '../../../model/engine-error.ts';
import { onAbort } from '../../../model/on-abort.ts';
import { orStopped } from '../../../model/stoppable.ts';
import type { Clock } from '../clock.ts';
import { GraphError, graphErrorOf } from '../graph-error.ts';
import type { Application } from '../sign-in/application.ts';
import { type Attempt, retryAfterMs, unreachable, untilItWorks } from './attempts.ts';
import type { Budget } from './budget.ts';
import { ClaimsChallenge, withClaims } from './claims-challenge.ts';
import { GraphLinks } from './graph-links.ts';
import { heldBytes, heldText } from './held-text.ts';
import type { PlaceOfBytes } from './json-with-bytes.ts';
import type { HttpReply, HttpRequest, Send } from './transport.ts';
import { mailboxWorkload, resourceUnitsOf, type Workload, workloadOf } from './workload.ts';

export interface GraphCall {
  /** Default GET. */
  method?: HttpRequest['method'];
  /** Below the version, such as `/users/42`; or a link that Graph gave, as it is. */
  path: string;
  /** For what v1.0 does not give. */
  version?: 'beta';
  headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is bytes or text. */
  body?: unknown;
  /** Whether it may be sent again when its outcome is unknown. Default: all but POST. */
  isRepeatable?: boolean;
  /** The most bytes of a reply that is held in memory. Default: 64 MB. */
  replyBytesMax?: number;
  /** Where the JSON of a reply has base64: what is long there comes as a Buffer. */
  bytesIn?: PlaceOfBytes;
  signal?: AbortSignal | undefined;
}

/** What budgets count a call as; a batch counts as its parts. */
export interface Weight {
  workload: Workload;
  requests: number;
  units: number;
  /** Of those that a workload serves at a time; default: one. */
  places?: number;
}

/** A successful reply, and its place in the budget. */
export interface AdmittedReply {
  reply: HttpReply;
  /** Asks that a part be asked for again no sooner than the instant. */
  pauseUntil(ms: number): void;
  /** Retains the place after the reading, for a body that streams; returns the function that frees it. */
  retainPlace(): () => void;
}

export interface RequestParts {
  applications: readonly Application[];
  /** With the version: `https://graph.microsoft.com/v1.0`. */
  baseUrl: string;
  send: Send;
  clock: Clock;
  /** For all of a reply but a download's body, where it limits the time without data. */
  timeLimitMs: number;
  /** Attempts at a call that fails in a way that may pass; default: eight. */
  attemptsMax?: number | undefined;
  /** What may be under way of all workloads together; default: what their budgets allow. */
  together?: Budget | undefined;
}

/** What the replies of a connection said of the tenant. */
interface Learned {
  skewMs: number | null;
  /** The workloads of persons' mailboxes, by the keys of their other names. */
  owners: Map<string, Workload>;
}

type ReadReply<T> = (reply: AdmittedReply) => Promise<T>;

/** A refusal says what it says in less. */
const REFUSAL_BYTES_MAX = 2 ** 20;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
/** What counts requests has counted them already. */
const NOTHING = { requests: 0, units: 0 };

/** Calls to Graph within the budgets, tried again while that may help. */
export class Requests {
  readonly clock: Clock;
  readonly timeLimitMs: number;
  /** Where links may lead. */
  readonly links: GraphLinks;
  private readonly parts: RequestParts;
  private readonly learned: Learned;

  constructor(parts: RequestParts, learned: Learned = { skewMs: null, owners: new Map() }) {
    this.parts = parts;
    this.learned = learned;
    this.clock = parts.clock;
    this.timeLimitMs = parts.timeLimitMs;
    this.links = new GraphLinks(parts.baseUrl);
  }

  /** The same for a piece of work, which waits by a clock of its own: what was learned stays shared. */
  by(clock: Clock): Requests {
    return new Requests({ ...this.parts, clock }, this.learned);
  }

  /** How far this machine's clock is ahead of Graph's, as its last reply showed it; `null` before the first. */
  get skewMs(): number | null {
    return this.learned.skewMs;
  }

  /** Path and query below the version; links to another host stay as they are. */
  pathOf(path: string): string {
    const { baseUrl } = this.parts;
    return path.startsWith(`${baseUrl}/`) ? path.slice(baseUrl.length) : path;
  }

  weightOf(call: GraphCall): Weight {
    const path = this.pathOf(call.path);
    const workload = workloadOf(path);
    return {
      workload: this.learned.owners.get(workload.key) ?? workload,
      requests: 1,
      units: resourceUnitsOf(call.method ?? 'GET', path),
    };
  }

  /** From now on both names of a mailbox are one to the budgets. */
  mailboxBelongsTo(mailboxId: string, user: string): void {
    this.learned.owners.set(
      mailboxWorkload(encodeURIComponent(mailboxId)).key,
      mailboxWorkload(encodeURIComponent(user)),
    );
  }

  /** How many more calls of a workload would be sent at once. */
  freePlaces(workload: Workload): number {
    return this.parts.applications.reduce((sum, { limits }) => sum + limits.budgetOf(workload).freePlaces, 0);
  }

  /**
   * @param readReply reads the reply of a call that worked; what it throws counts as a broken connection
   * @throws GraphError for a refusal, EngineError `source-unreachable` when there is no answer, PlaceRetained for a weight of several places
   *   that cannot be had
   */
  perform<T>(call: GraphCall, readReply: ReadReply<T>, weight = this.weightOf(call)): Promise<T> {
    let tokensRefused = 0;
    const attempt = async (): Promise<Attempt<T>> => {
      const application = this.leastLoaded(weight.workload);
      const budget = application.limits.budgetOf(weight.workload);
      const leave = await budget.enter(weight, call.signal, this.clock);
      const place = { leave, isRetained: false };
      let leaveOthers: (() => void) | undefined;
      try {
        leaveOthers = await this.parts.together?.enter(NOTHING, call.signal, this.clock);
        call.signal?.throwIfAborted();
        // The token is asked for once for all that wait; who is stopped waits no longer.
        const token = application.token.known() ?? (await orStopped(application.token.get(this.clock), call.signal));
        const outcome = await this.exchange(call, token, readReply, budget, place);
        if ('value' in outcome || !isTokenRefused(outcome.failure)) return outcome;
        application.token.refuse(token, outcome.failure instanceof ClaimsChallenge ? outcome.failure.claims : null);
        tokensRefused += 1;
        if (tokensRefused > 1) throw outcome.failure;
        return outcome;
      } finally {
        // A body that streams waits for its turn to be read: others must not wait for that.
        leaveOthers?.();
        if (!place.isRetained) leave();
      }
    };
    return untilItWorks(attempt, this.clock, call.signal, this.parts.attemptsMax);
  }

  private async exchange<T>(
    call: GraphCall,
    token: string,
    readReply: ReadReply<T>,
    budget: Budget,
    place: { leave: () => void; isRetained: boolean },
  ): Promise<Attempt<T>> {
    const what = this.nameOf(call);
    const limit = new TimeLimit(this.timeLimitMs, call.signal);
    try {
      const reply = await this.send(call, token, limit.signal);
      if (reply.status < 200 || reply.status > 299) return await this.refused(reply, call, budget);
      const value = await readReply({
        reply,
        pauseUntil: (ms) => budget.pauseUntil(ms),
        retainPlace: () => {
          place.isRetained = true;
          const release = budget.retain();
          return () => {
            release();
            place.leave();
          };
        },
      });
      this.heed(reply, budget);
      return { value };
    } catch (cause) {
      call.signal?.throwIfAborted();
      if (cause instanceof EngineError) throw cause;
      const failure = unreachable(what, cause);
      if (!isRepeatable(call)) throw failure;
      return { failure, pausedUntilMs: null };
    } finally {
      limit.end();
    }
  }

  /** @throws GraphError for what no later attempt mends */
  private async refused(reply: HttpReply, call: GraphCall, budget: Budget) {
    const { status } = reply;
    const failure = graphErrorOf(status, parsed(await heldText(reply, REFUSAL_BYTES_MAX)), this.nameOf(call));
    // A link that carries its own permission is not mended by another token.
    if (status === 401 && this.links.isOfGraph(call.path))
      return { failure: withClaims(failure, reply.header('www-authenticate')), pausedUntilMs: null };
    const mayPass = failure.isRetryable && (isRepeatable(call) || status === 429 || status === 503);
    if (!mayPass) throw failure;
    const untilMs = retryAfterMs(reply.header('retry-after'), this.clock.now());
    if (untilMs !== null) budget.pauseUntil(untilMs);
    return { failure, pausedUntilMs: untilMs };
  }

  /** The token goes to Graph alone, and to no link that leads elsewhere; where a link leads is looked at before it is followed. */
  private async send(call: GraphCall, token: string, signal: AbortSignal): Promise<HttpReply> {
    const { method = 'GET', path, headers } = call;
    const { type, body } = contentOf(call.body);
    const given = { ...type, ...headers };
    let url = path.startsWith('/') ? this.links.versionUrl(call.version) + path : path;
    for (let followed = 0; ; followed += 1) {
      const isOurs = followed === 0 && path.startsWith('/');
      if (!isOurs) this.links.requireFollowable(url);
      const withToken = isOurs || this.links.isOfGraph(url) ? { authorization: `Bearer ${token}`, ...given } : given;
      const sentMs = this.clock.now();
      const reply = await this.parts.send({ url, method, headers: withToken, body, signal });
      if (isOurs) this.learnTime(reply.header('date'), sentMs);
      const to = REDIRECTS.includes(reply.status) ? reply.header('location') : null;
      if (to === null || method !== 'GET' || followed >= REDIRECTS_MAX) return reply;
      // Read to its end, so that the connection serves the next request.
      await heldBytes(reply, REFUSAL_BYTES_MAX);
      url = new URL(to, url).href;
    }
  }

  /** The server wrote its time between the request and the reply: how long a reply takes is no difference of clocks. */
  private learnTime(date: string | null, sentMs: number): void {
    const serverMs = Date.parse(date ?? '');
    if (Number.isNaN(serverMs)) return;
    this.learned.skewMs = Math.max(0, sentMs - serverMs) + Math.min(0, this.clock.now() - serverMs);
  }

  /** SharePoint reports when its units are used up, before it refuses: `RateLimit-Remaining`, and seconds in `RateLimit-Reset`. */
  private heed(reply: HttpReply, budget: Budget): void {
    const remaining = reply.header('ratelimit-remaining');
    const reset = Number(reply.header('ratelimit-reset') ?? Number.NaN);
    if (remaining !== null && Number(remaining) <= 0 && reset > 0) budget.pauseUntil(this.clock.now() + reset * 1_000);
  }

  private leastLoaded(workload: Workload): Application {
    const [first, ...others] = this.parts.applications;
    if (first === undefined) throw new TypeError('A connection needs an application.');
    const loadOf = ({ limits }: Application) => limits.budgetOf(workload).load;
    return others.reduce((best, one) => (loadOf(one) < loadOf(best) ? one : best), first);
  }

  private nameOf({ method = 'GET', path }: GraphCall): string {
    return `${method} ${this.pathOf(path).split('?', 1)[0]}`;
  }
}

/** Ends an exchange that takes too long, or whose caller has gone. */
class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly leaveOuter: (() => void) | undefined;

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.timer = setTimeout(
      () => this.controller.abort(new Error(`no whole reply within ${ms / 1_000} seconds`)),
      ms,
    ).unref();
    if (outer !== undefined) this.leaveOuter = onAbort(outer, () => this.controller.abort(outer.reason));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    this.leaveOuter?.();
  }
}

function isRepeatable({ method, isRepeatable }: GraphCall): boolean {
  return isRepeatable ?? method !== 'POST';
}

function isTokenRefused(failure: EngineError): boolean {
  return failure instanceof GraphError && failure.status === 401;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { message: text.slice(0, 200) } };
  }
}

/** The body to send, and its content type where the caller gives none. */
function contentOf(body: unknown): { type: Record<string, string>; body?: string | Uint8Array } {
  if (body === undefined) return { type: {} };
  if (typeof body === 'string' || body instanceof Uint8Array) return { type: {}, body };
  return { type: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
