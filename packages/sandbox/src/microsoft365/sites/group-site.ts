import { itemNotFound } from '../drives/items/drive-item.ts';
import type { Tenant } from '../tenant.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { Site } from './site.ts';
import { SiteBuilder } from './site-builder.ts';

/** The site of a group; of a new group it is made when it is first asked for. @throws GraphError 404 */
export function groupSite(tenant: Tenant, groupId: string): Site {
  const known = tenant.sites.ofGroup(groupId);
  if (known) return known;
  const group = tenant.directory.group(groupId);
  if (group.kind !== 'microsoft365') throw itemNotFound();
  return builderOf(tenant).group(group, true);
}

export const builderOf = (tenant: Tenant): SiteBuilder => new SiteBuilder(tenant, tenant.sites, tenant.drives);

/** What an application hears of a user without OneDrive. */
export const mySiteNotFound = (): GraphError => new GraphError(404, 'ResourceNotFound', "User's mysite not found.");
