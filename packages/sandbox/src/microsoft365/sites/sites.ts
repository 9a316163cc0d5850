import type { Drive } from '../drives/drive.ts';
import { itemNotFound } from '../drives/items/drive-item.ts';
import { ChangeLog } from '../wire/change-log.ts';
import type { SiteList } from './lists/site-list.ts';
import type { Site } from './site.ts';

/** All sites of a tenant. */
export class Sites {
  /** Keys are the composite ids. */
  readonly changes = new ChangeLog();
  private readonly byId = new Map<string, Site>();
  /** Sites below another one: a tenant has many thousands of sites, and pages of them ask what is below each. */
  private readonly below = new Map<Site, Set<Site>>();
  private readonly rootHost: string;
  /** Sites that were deleted, and when. */
  private readonly removed = new Map<Site, number>();

  /** @param domain such as `contoso.onmicrosoft.com`, of whose first part the hosts are made */
  constructor(domain: string) {
    this.rootHost = `${domain.split('.')[0] ?? domain}.sharepoint.com`;
  }

  /** Host of team and communication sites. */
  get hostname(): string {
    return this.rootHost;
  }

  /** Host of the personal sites. */
  get personalHostname(): string {
    return this.rootHost.replace('.', '-my.');
  }

  add(site: Site): void {
    this.byId.set(site.id, site);
    if (site.parent) this.below.set(site.parent, (this.below.get(site.parent) ?? new Set()).add(site));
    this.changes.record(site.id);
  }

  remove(site: Site, atMs = 0): void {
    this.byId.delete(site.id);
    if (site.parent) this.below.get(site.parent)?.delete(site);
    this.removed.set(site, atMs);
    this.changes.record(site.id, true);
  }

  all(): Site[] {
    return [...this.byId.values()];
  }

  /** Sites as they were at an instant, as far as it is known when they came and went. */
  allAt(ms: number): Site[] {
    const gone = [...this.removed].flatMap(([site, atMs]) => (atMs > ms ? [site] : []));
    return [...this.all(), ...gone].filter(({ facts }) => facts.createdMs <= ms);
  }

  find(id: string): Site | undefined {
    return this.byId.get(id);
  }

  /** By composite id, by the id of site collection or web, by host alone, or `root`. @throws GraphError 404 */
  site(key: string): Site {
    const direct = this.byId.get(key);
    if (direct) return direct;
    const isRoot = key.toLowerCase() === 'root' || key.toLowerCase() === this.rootHost;
    const found = this.all().find(({ facts, parent }) =>
      isRoot
        ? facts.path === '' && facts.hostname === this.rootHost
        : facts.webId === key || (facts.siteId === key && !parent),
    );
    if (!found) throw itemNotFound();
    return found;
  }

  /** By host and path below it. @throws GraphError 404 */
  siteAt(host: string, path: string): Site {
    const sought = `/${path}`.replace(/\/+$/, '').replace(/^\/+/, '/').toLowerCase();
    const found = this.all().find(
      ({ facts }) => facts.hostname.toLowerCase() === host.toLowerCase() && facts.path.toLowerCase() === sought,
    );
    if (!found) throw itemNotFound();
    return found;
  }

  /** The site and list behind a drive. @throws GraphError 404 */
  listOfDrive({ facts }: Drive): { site: Site; list: SiteList } {
    for (const site of this.byId.values()) {
      const list = site.facts.webId === facts.site.webId ? site.lists.get(facts.site.listId) : undefined;
      if (list) return { site, list };
    }
    throw itemNotFound();
  }

  ofGroup(groupId: string): Site | undefined {
    return this.all().find(({ facts, parent }) => facts.groupId === groupId && !parent);
  }

  subsitesOf(site: Site): Site[] {
    return [...(this.below.get(site) ?? [])];
  }
}
