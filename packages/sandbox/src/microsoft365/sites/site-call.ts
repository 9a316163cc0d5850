import type { Drive } from '../drives/drive.ts';
import { itemNotFound } from '../drives/items/drive-item.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import type { RowContext } from './lists/list-item-entity.ts';
import type { SiteList } from './lists/site-list.ts';
import type { Site } from './site.ts';

/** The site a call is about, by id or by host and path. @throws GraphError 404 */
export function siteOf({ tenant, params }: GraphCall): Site {
  const key = params['site'] ?? '';
  const path = params['sitePath'];
  return path === undefined ? tenant.sites.site(key) : tenant.sites.siteAt(key, path);
}

/** The list a call is about, by id, name or title. @throws GraphError 404 */
export function listOf(call: GraphCall, site: Site): SiteList {
  const key = call.params['list'] ?? '';
  const sought = key.toLowerCase();
  const found =
    site.lists.get(key) ??
    site.lists
      .values()
      .find(({ facts }) => [facts.name, facts.displayName].some((name) => name.toLowerCase() === sought));
  if (!found) throw itemNotFound();
  return found;
}

export const rowContextOf = ({ tenant }: GraphCall, site: Site, list: SiteList): RowContext => ({
  site,
  list,
  people: tenant.drives.people,
  tenantId: tenant.id,
});

/** The drive of a list. @throws GraphError 404 for a list that is no library */
export function driveOf(list: SiteList | undefined): Drive {
  if (!list?.drive) throw itemNotFound();
  return list.drive;
}
