import { refusalOf } from '../faults/refusals.ts';
import type { Tenant } from '../tenant.ts';
import { refusal, splitOnce } from './graph.ts';
import type { Caller, GraphMethod, GraphReply } from './graph-call.ts';
import type { WireRequest } from './http.ts';
import type { Router } from './router.ts';
import type { Traffic } from './traffic.ts';

const anonymous: Caller = { applicationId: '', userId: null, permissions: new Set() };

/** Answers pre-authenticated links: they need no token, and the tenant is in the path as `{tenant}`. */
export class PreauthenticatedLinks {
  private readonly router: Router;
  private readonly tenants: ReadonlyMap<string, Tenant>;
  private readonly traffic: Traffic;

  constructor(router: Router, tenants: ReadonlyMap<string, Tenant>, traffic: Traffic) {
    this.router = router;
    this.tenants = tenants;
    this.traffic = traffic;
  }

  /** `undefined` for a path that is no such link. */
  async answer(request: WireRequest, nowMs: number): Promise<GraphReply | undefined> {
    const [path, search] = splitOnce(request.fullUrl, '?');
    const method = methods.find((name) => name === request.method);
    const match = method && this.router.match(method, path);
    if (!method || !match || Array.isArray(match)) return undefined;
    const { route, params } = match;
    const tenant = this.tenants.get(params['tenant'] ?? '');
    if (!tenant) return undefined;
    const query = new URLSearchParams(search);
    const operation = `${route.method} ${route.path}`;
    try {
      const refused = request.fault && refusalOf(request.fault, query, nowMs);
      if (refused) throw refused;
      const { headers, body, origin } = request;
      const reply = await route.handle({
        tenant,
        caller: anonymous,
        method,
        path,
        params,
        query,
        headers,
        body,
        baseUrl: origin,
      });
      this.traffic.count(operation, reply.status);
      return reply;
    } catch (error) {
      const reply = refusal(error, request.ids, nowMs);
      this.traffic.count(operation, reply.status);
      return reply;
    }
  }
}

const methods: readonly GraphMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
