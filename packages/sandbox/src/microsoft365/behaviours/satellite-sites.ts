import type { Site } from '../sites/site.ts';
import { SiteBuilder } from '../sites/site-builder.ts';
import type { Tenant } from '../tenant.ts';
import { linkTo } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';

const GEOGRAPHY = 'APC';

/** Adds the sites of another geography, once, where the behaviour is on. https://learn.microsoft.com/graph/api/site-getallsites */
export function addSatelliteSites(tenant: Tenant): void {
  if (!tenant.behaviours.satelliteSites || tenant.sites.all().some(isSatellite)) return;
  new SiteBuilder(tenant, tenant.sites, tenant.drives).satellite(GEOGRAPHY);
}

const isSatellite = ({ facts }: Site) => facts.dataLocationCode !== undefined;

/** Sites come one geography after the other; the page between them is empty, and only its link says that there are more. */
export function replyByGeography(
  call: GraphCall,
  pageOf: (sites: readonly Site[]) => GraphReply,
  sites: readonly Site[],
): GraphReply {
  const geography = call.query.get('$geography');
  const [own, others] = [sites.filter((site) => !isSatellite(site)), sites.filter(isSatellite)];
  if (geography === GEOGRAPHY) return pageOf(others);
  if (geography === 'between') return linked(call, pageOf([]), GEOGRAPHY);
  const page = pageOf(own);
  const isLast = page.body === undefined || !('@odata.nextLink' in page.body);
  return isLast ? linked(call, page, 'between') : page;
}

function linked(call: GraphCall, page: GraphReply, $geography: string): GraphReply {
  const next = linkTo(call, { $geography, $skiptoken: undefined });
  return { ...page, body: { ...page.body, '@odata.nextLink': next } };
}
