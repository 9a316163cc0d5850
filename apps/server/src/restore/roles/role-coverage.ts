import type { RoleItem, RoleItemType } from '@keepwatch/contract/restore/roles';
import { Refusal } from '../../foundation/errors.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { Coverage, Meant } from './coverage.ts';
import type { RoleItems } from './roles.ts';

/** Says what a role of an organization means now: with the members of its groups and the addresses of its sites. */
export async function coverageOf(
  services: RestoreServices,
  organization: RestoreOrganization,
  { roleType, selected, excluded }: RoleItems,
): Promise<Coverage> {
  return {
    isEverything: roleType === 'EntireOrganization',
    selected: await meantBy(services, organization, selected),
    excluded: await meantBy(services, organization, excluded, requireKnown),
  };
}

/** Who was in an excluded group that is gone, and which site it had, is not known any more: nothing may be shown then. */
function requireKnown({ type, name, id }: RoleItem): never {
  const message = `${type} ${name || id}, which your restore operator role excludes, no longer exists. Ask an administrator to exclude its people and its site by name.`;
  throw new Refusal(409, 'OUTSIDE_ROLE', message);
}

async function meantBy(
  services: RestoreServices,
  organization: RestoreOrganization,
  items: readonly RoleItem[],
  onGone: (item: RoleItem) => void = () => {},
): Promise<Meant> {
  const ids = (type: RoleItemType) => items.filter((item) => item.type === type).map(({ id }) => id.toLowerCase());
  const users = new Set(ids('User'));
  const sites = new Set(ids('Site'));
  const entered = items.filter(({ type }) => type === 'Site').map(({ id }) => id);
  const siteAddresses = await addressesOf(services, organization, new Set([...sites, ...entered]));
  for (const item of items) {
    if (item.type !== 'Group' && item.type !== 'Team') continue;
    const parts = await services.groups.read(organization, item.id);
    // The people in a team see its files, but their mailboxes are their own.
    if (parts === null) onGone(item);
    if (item.type === 'Group') for (const id of parts?.members ?? []) users.add(id.toLowerCase());
    if (parts !== null && parts.siteAddress !== null) siteAddresses.push(parts.siteAddress);
  }
  return { users, groups: new Set([...ids('Group'), ...ids('Team')]), sites, siteAddresses };
}

/** The addresses of sites as the backups have them: a site that was deleted is in no directory, but may be what is restored. */
async function addressesOf(
  services: RestoreServices,
  organization: RestoreOrganization,
  sites: ReadonlySet<string>,
): Promise<string[]> {
  if (sites.size === 0) return [];
  const found: string[] = [];
  for (const repositoryId of await services.repositoriesOf(organization)) {
    const { repository, catalog } = await services.openStored(organization.providerId, repositoryId);
    for (const id of sites) {
      const key = repository.objectKey({ organizationId: organization.tenantId, kind: 'site', id });
      const address = (await catalog.object(key))?.address;
      if (address !== null && address !== undefined) found.push(address);
    }
  }
  return found;
}
