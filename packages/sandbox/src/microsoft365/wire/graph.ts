import { requireClaims } from '../behaviours/claims-challenge.ts';
import { requireOpenMailbox, requireReach, requireRoom } from '../behaviours/closed-objects.ts';
import type { TenantFault } from '../faults/fault.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { refusalOf } from '../faults/refusals.ts';
import type { AccessTokens } from '../identity/access-tokens.ts';
import { isGranted } from '../identity/granted-scopes.ts';
import type { Tenant } from '../tenant.ts';
import { type BatchPart, runBatch } from './batch.ts';
import { errorBody, type RequestIds } from './error-body.ts';
import type { Caller, GraphCall, GraphMethod, GraphReply } from './graph-call.ts';
import { GraphError } from './graph-error.ts';
import { OutlookTurns } from './outlook-turns.ts';
import { accessDenied, badRequest } from './refusals.ts';
import type { Router } from './router.ts';
import type { Traffic } from './traffic.ts';

/** A request to Graph as it is on the wire or in a batch. */
export interface GraphRequest {
  method: string;
  /** Path and query below the version. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: unknown;
  baseUrl: string;
  ids: RequestIds;
  /** The fault that the connection has already chosen for this request. */
  fault: TenantFault | undefined;
  /** Those of the batch it is a part of. */
  turns?: OutlookTurns;
}

export interface GraphParts {
  router: Router;
  tenants: ReadonlyMap<string, Tenant>;
  tokens: AccessTokens;
  plan: FaultPlan;
  traffic: Traffic;
  nowMs: () => number;
  /** How long every answer takes. */
  latency: () => Promise<void> | undefined;
}

/** Answers requests to Graph: checks token, permission and budget, finds the route, and refuses in the vendor's shape. */
export class Graph {
  private readonly parts: GraphParts;

  constructor(parts: GraphParts) {
    this.parts = parts;
  }

  /** Answers a request; never throws what the vendor would answer. */
  async answer(request: GraphRequest): Promise<GraphReply> {
    try {
      const { tenants, tokens } = this.parts;
      const caller = tokens.read(request.headers['authorization']);
      const tenant = tenants.get(caller.tenantId);
      if (!tenant) throw new GraphError(401, 'InvalidAuthenticationToken', 'The tenant of the token is unknown.');
      requireClaims(tenant, caller, this.parts.nowMs());
      if (request.method !== 'POST' || !/^\/\$batch$/i.test(request.url))
        return await this.run(request, tenant, caller);
      const whole = { ...request, turns: new OutlookTurns() };
      return await runBatch(request.body, (part) => this.answerPart(part, whole, tenant, caller));
    } catch (error) {
      return refusal(error, request.ids, this.parts.nowMs());
    }
  }

  private async answerPart(
    part: BatchPart,
    { baseUrl, ids, turns }: GraphRequest & { turns: OutlookTurns },
    tenant: Tenant,
    caller: Caller,
  ): Promise<GraphReply> {
    const { url, method, headers } = part;
    const fault = this.parts.plan.hit(method, url.split('?', 1)[0] ?? '');
    // Only JSON is used as it is; a batch contains all other bytes as base64.
    const isJson = /json/i.test(headers['content-type'] ?? 'json');
    const body = !isJson && typeof part.body === 'string' ? Buffer.from(part.body, 'base64') : part.body;
    try {
      return await this.run({ method, url, headers, body, baseUrl, ids, fault, turns }, tenant, caller);
    } catch (error) {
      return refusal(error, ids, this.parts.nowMs());
    }
  }

  private async run(request: GraphRequest, tenant: Tenant, caller: Caller): Promise<GraphReply> {
    const { router, traffic, nowMs, latency } = this.parts;
    const [path = '', search = ''] = splitOnce(request.url, '?');
    const query = new URLSearchParams(search);
    const refused = request.fault && refusalOf(request.fault, query, nowMs());
    if (refused) throw counted(traffic, `${request.method} fault ${request.fault?.kind}`, refused);
    const match = router.match(toMethod(request.method), pathOfMe(path, caller));
    if (!match) throw badRequest(`Resource not found for the segment '${path.split('/').at(-1)}'.`);
    if (Array.isArray(match)) throw notAllowed;
    const { route, params } = match;
    const operation = `${route.method} ${route.path}`;
    const required = typeof route.permissions === 'function' ? route.permissions(tenant) : route.permissions;
    if (required && !required.some((name) => isGranted(caller, name)))
      throw counted(traffic, operation, accessDenied(path));
    const { method, headers, body, baseUrl } = { ...request, method: route.method };
    const call: GraphCall = { tenant, caller, method, path, params, query, headers, body, baseUrl };
    const endTurn = route.budget ? await request.turns?.enter() : undefined;
    let leave: (() => void) | undefined;
    try {
      if (route.budget)
        leave = traffic.enterMailbox(caller.applicationId, mailboxKey(tenant, params['user'] ?? params['mailbox']));
      await latency();
      if (route.budget) requireOpenMailbox(call);
      if (route.budget) requireReach(call, required ?? []);
      if (route.budget) requireRoom(call);
      const reply = await route.handle(call);
      traffic.count(operation, reply.status);
      return reply;
    } catch (error) {
      throw counted(traffic, operation, error);
    } finally {
      leave?.();
      endTurn?.();
    }
  }
}

/** A mailbox is one, whether it is named by id or by sign-in name. */
function mailboxKey(tenant: Tenant, user = ''): string {
  return tenant.directory.findUser(user)?.id ?? tenant.mailboxes.find(user)?.user.id ?? user;
}

function counted<E>(traffic: Traffic, operation: string, error: E): E {
  traffic.count(operation, error instanceof GraphError ? error.status : 500);
  return error;
}

const methods: readonly GraphMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

const notAllowed = new GraphError(
  405,
  'Request_BadRequest',
  'Specified HTTP method is not allowed for the request target.',
);

function toMethod(method: string): GraphMethod {
  const known = methods.find((name) => name === method);
  if (!known) throw notAllowed;
  return known;
}

/** Replaces `/me` by the signed-in user; a call of an application without a user is refused. */
function pathOfMe(path: string, caller: Caller): string {
  if (!/^\/me(\/|$)/i.test(path)) return path;
  if (caller.userId === null) throw badRequest('/me request is only valid with delegated authentication flow.');
  return `/users/${caller.userId}${path.slice(3)}`;
}

export function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The reply a refusal leaves as; a mistake of the sandbox itself is a 500 with its message, so that it is found. */
export function refusal(error: unknown, ids: RequestIds, nowMs: number): GraphReply {
  const known =
    error instanceof GraphError
      ? error
      : new GraphError(500, 'SandboxError', error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { status: known.status, headers: known.headers, body: errorBody(known, ids, nowMs) };
}
