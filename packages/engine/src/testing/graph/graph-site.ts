import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import type { Site } from '../../../../sandbox/src/microsoft365/sites/site.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import type { Source } from '../../source/source.ts';
import { objectsIn } from './graph-mailbox.ts';

/** The first site of a tenant with lists of rows and pages, and the site as the tenant has it. */
export async function filledSiteOf(
  source: Source,
  { tenant }: RunningTenant,
): Promise<{ object: ProtectedObject; inside: Site }> {
  for (const object of await objectsIn(source, 'site')) {
    const inside = tenant.sites.site(object.id);
    const hasRows = [...inside.lists.values()].some((list) => list.drive === undefined && list.items.length > 5);
    if (hasRows && inside.pages.size > 1) return { object, inside };
  }
  throw new Error('The tenant has no site with rows and pages.');
}
