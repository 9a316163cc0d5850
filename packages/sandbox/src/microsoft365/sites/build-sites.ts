import type { Directory } from '../directory/directory.ts';
import { officeE3 } from '../directory/products.ts';
import type { Drives } from '../drives/drives.ts';
import type { TenantFacts } from '../tenant-facts.ts';
import { SiteBuilder } from './site-builder.ts';
import { Sites } from './sites.ts';

/** Sites and libraries of a tenant, made of the directory: one a user with a licence, one a group, and an intranet. */
export function buildSites(facts: TenantFacts, directory: Directory, drives: Drives): Sites {
  const builder = new SiteBuilder(facts, new Sites(facts.domain), drives);
  builder.root();
  for (const user of directory.users) {
    const person = user.skuIds.includes(officeE3.skuId) ? drives.people.user(user.id) : undefined;
    if (person) builder.personal(person);
  }
  for (const group of directory.groups) if (group.kind === 'microsoft365') builder.group(group);
  if (facts.size !== 'empty') builder.intranet();
  return builder.sites;
}
