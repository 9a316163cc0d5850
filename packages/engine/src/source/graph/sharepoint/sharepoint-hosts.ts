import { EngineError } from '../../../model/engine-error.ts';
import { CLOUDS, type Cloud } from '../cloud.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';

/** The root sites of all geographies; https://learn.microsoft.com/graph/api/site-list */
export const ROOT_SITES = '/sites?$filter=siteCollection/root%20ne%20null&$select=siteCollection,webUrl';

/** The hosts that are the tenant's own: those of its root sites, and beside each of them that of personal sites. */
export function ownHostsOf(rootSites: readonly JsonObject[], cloud: Cloud): ReadonlySet<string> {
  const hosts = rootSites.flatMap((site) => textOf(objectOf(site['siteCollection'])['hostname'])?.toLowerCase() ?? []);
  const own = hosts.filter((host) => host.endsWith(`.${CLOUDS[cloud].sharePointDomain}`));
  return new Set(own.flatMap((host) => [host, host.replace('.', '-my.')]));
}

export interface SiteAddress {
  host: string;
  /** Below the host, such as `/sites/finance`; empty for the root site. */
  path: string;
}

/** @throws EngineError for the address of a site that is not at one of the tenant's own hosts: it is never sent a token */
export function siteAddressOf(webUrl: string | undefined, own: ReadonlySet<string>): SiteAddress {
  if (webUrl !== undefined && URL.canParse(webUrl)) {
    const { protocol, hostname, port, pathname } = new URL(webUrl);
    if (protocol === 'https:' && port === '' && own.has(hostname))
      return { host: hostname, path: pathname.replace(/\/+$/, '') };
  }
  throw new EngineError(
    'source-refused',
    `Microsoft 365 gives the site the address ${webUrl ?? 'none'}, which is at none of the organization’s own hosts (${[...own].join(', ')}): it is not asked.`,
  );
}
