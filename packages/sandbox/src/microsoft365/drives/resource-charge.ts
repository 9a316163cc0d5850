import { requireOpenSite } from '../behaviours/closed-objects.ts';
import type { GraphCall, GraphHandler, GraphReply } from '../wire/graph-call.ts';

/**
 * Costs of requests as documented: 1 unit for one item, a download and a delta query with a token; 2 for a list and for
 * whatever writes; 5 for everything about permissions.
 */
export function unitsOf({ method, path, query }: Pick<GraphCall, 'method' | 'path' | 'query'>): number {
  if (/\/(permissions|invite|createLink)(\/|$)/i.test(path)) return 5;
  if (method !== 'GET') return 2;
  const isDelta = /\/delta(\(|$)/i.test(path);
  if (isDelta)
    return ['token', '$deltatoken', '$skiptoken'].some((name) => query.has(name)) || /token=/i.test(path) ? 1 : 2;
  return /\/(children|items|lists|sites|drives|versions|columns|contentTypes|pages|getAllSites\(?\)?)$/i.test(path)
    ? 2
    : 1;
}

/** A handler whose calls cost resource units. */
export function charged(handle: GraphHandler): GraphHandler {
  return async (call): Promise<GraphReply> => {
    const { tenant, caller } = call;
    const warning = tenant.drives.budget.charge(caller.applicationId, unitsOf(call), tenant.nowMs());
    requireOpenSite(call);
    const reply = await handle(call);
    return { ...reply, headers: { ...reply.headers, ...warning } };
  };
}
