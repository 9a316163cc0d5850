import { listedSites } from '../behaviours/lagging-lists.ts';
import { addSatelliteSites, replyByGeography } from '../behaviours/satellite-sites.ts';
import { driveEntity } from '../drives/drive-entity.ts';
import { itemNotFound } from '../drives/items/drive-item.ts';
import { collectionReply, type Listing } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import { groupSite } from './group-site.ts';
import { columnEntity } from './lists/column.ts';
import { contentTypeEntity } from './lists/content-type.ts';
import type { Site, SitePermission } from './site.ts';
import { siteOf } from './site-call.ts';
import { siteDefaults, siteEntity } from './site-entity.ts';

const how = { context: 'sites', defaults: siteDefaults };

/** Made a page at a time: a tenant has many thousands of sites. */
const entitiesOf = ({ tenant }: GraphCall, sites: readonly Site[]): Listing => ({
  length: sites.length,
  slice: (start, end) => sites.slice(start, end).map((site) => siteEntity(site, tenant.id)),
});

/** Sites found by `search`; without it the root site alone, as at the vendor. Personal sites are not found by search. */
export function searchSites(call: GraphCall): GraphReply {
  const search = call.query.get('search') ?? call.query.get('$search');
  const filter = call.query.get('$filter') ?? '';
  const sites = call.tenant.sites.all().filter((site) => !site.isPersonal);
  if (search === null) {
    const isRootFilter = /siteCollection\/root\s+ne\s+null/i.test(filter);
    if (isRootFilter) call.query.delete('$filter');
    return collectionReply(
      call,
      entitiesOf(
        call,
        sites.filter(({ facts }) => facts.path === ''),
      ),
      how,
    );
  }
  call.query.delete('$search');
  const sought = search.replaceAll('"', '').toLowerCase();
  const found = sites.filter(({ facts }) =>
    ['', '*'].includes(sought)
      ? true
      : [facts.displayName, facts.path].some((text) => text.toLowerCase().includes(sought)),
  );
  return collectionReply(call, entitiesOf(call, found), how);
}

/** Every site, the personal ones included; subsites only where the tenant gives more than is documented. */
export function allSites(call: GraphCall): GraphReply {
  const { tenant } = call;
  addSatelliteSites(tenant);
  const given = listedSites(tenant).filter(
    ({ parent }) => parent === undefined || !tenant.behaviours.siteCollectionsAlone,
  );
  const options = { ...how, pageSize: 200 };
  if (!tenant.behaviours.satelliteSites) return collectionReply(call, entitiesOf(call, given), options);
  return replyByGeography(call, (sites) => collectionReply(call, entitiesOf(call, sites), options), given);
}

export function sitesDelta(call: GraphCall): GraphReply {
  const { sites, id: tenantId } = call.tenant;
  const read = (id: string) => {
    const site = sites.find(id);
    return site && siteEntity(site, tenantId);
  };
  const removed = (id: string) => ({ id, '@removed': { reason: 'deleted' } });
  return deltaReply(call, { changes: sites.changes, read, removed, goneCode: 'resyncRequired' }, how);
}

export function getSite(call: GraphCall): GraphReply {
  return entityReply(call, siteEntity(siteOf(call), call.tenant.id), { ...how, context: 'sites/$entity' });
}

export function listSubsites(call: GraphCall): GraphReply {
  return collectionReply(call, entitiesOf(call, call.tenant.sites.subsitesOf(siteOf(call))), how);
}

export function listGroupSites(call: GraphCall): GraphReply {
  return collectionReply(call, entitiesOf(call, [groupSite(call.tenant, call.params['group'] ?? '')]), how);
}

export function getGroupSite(call: GraphCall): GraphReply {
  const site = groupSite(call.tenant, call.params['group'] ?? '');
  return entityReply(call, siteEntity(site, call.tenant.id), { ...how, context: 'sites/$entity' });
}

/** Libraries of the system leave only when `system` is selected; https://learn.microsoft.com/graph/api/drive-list */
export function listDrives(call: GraphCall): GraphReply {
  const withSystem = /\bsystem\b/.test(call.query.get('$select') ?? '');
  const drives = [...siteOf(call).lists.values()].flatMap(({ drive, facts }) => {
    if (drive === undefined || facts.hidden || (facts.isSystem && !withSystem)) return [];
    return [{ ...driveEntity(drive), ...(facts.isSystem && { system: {} }) }];
  });
  return collectionReply(call, drives, { context: 'drives' });
}

export function listSiteColumns(call: GraphCall): GraphReply {
  return collectionReply(call, siteOf(call).columns.map(columnEntity), { context: 'Collection(columnDefinition)' });
}

export function listSiteContentTypes(call: GraphCall): GraphReply {
  const types = siteOf(call).contentTypes.map(contentTypeEntity);
  return collectionReply(call, types, { context: 'Collection(contentType)' });
}

export function listSitePermissions(call: GraphCall): GraphReply {
  return collectionReply(call, siteOf(call).permissions.map(permissionEntity), { context: 'Collection(permission)' });
}

/** Gives an application a role on this one site. */
export function addSitePermission(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const body = objectOf(call.body);
  const roles = textsOf(body['roles']) ?? [];
  const applications = [...objectsOf(body['grantedToIdentitiesV2']), ...objectsOf(body['grantedToIdentities'])]
    .map(({ application }) => objectOf(application))
    .map(({ id, displayName }) => ({ id: textOf(id) ?? '', displayName: textOf(displayName) ?? '' }));
  if (roles.length === 0 || applications.length === 0 || applications.some(({ id }) => id === '')) {
    throw new GraphError(400, 'invalidRequest', 'A site permission needs roles and the applications it is granted to.');
  }
  const permission: SitePermission = { id: call.tenant.newId(), roles, applications };
  site.permissions.push(permission);
  return entityReply(call, permissionEntity(permission), { context: 'permission/$entity' }, 201);
}

export function getSitePermission(call: GraphCall): GraphReply {
  return entityReply(call, permissionEntity(permissionOf(call)), { context: 'permission/$entity' });
}

export function updateSitePermission(call: GraphCall): GraphReply {
  const permission = permissionOf(call);
  permission.roles = textsOf(objectOf(call.body)['roles']) ?? permission.roles;
  return entityReply(call, permissionEntity(permission), { context: 'permission/$entity' });
}

export function deleteSitePermission(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const permission = permissionOf(call);
  site.permissions = site.permissions.filter((other) => other !== permission);
  return { status: 204 };
}

function permissionOf(call: GraphCall): SitePermission {
  const found = siteOf(call).permissions.find(({ id }) => id === call.params['permission']);
  if (!found) throw itemNotFound();
  return found;
}

function permissionEntity({ id, roles, applications }: SitePermission): JsonObject {
  const identities = applications.map((application) => ({ application }));
  return { id, roles, grantedToIdentitiesV2: identities, grantedToIdentities: identities };
}
