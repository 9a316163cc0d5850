import { type IdentitySet, instantOf } from '../drives/identity-set.ts';
import type { JsonObject } from '../wire/json.ts';
import type { SiteList } from './lists/site-list.ts';
import type { Site } from './site.ts';

/** The `site` of the wire. */
export function siteEntity(site: Site, tenantId: string): JsonObject {
  const { facts, parent } = site;
  const siteUrl = site.webUrl;
  return {
    id: site.id,
    name: facts.name,
    displayName: facts.displayName,
    description: facts.description,
    createdDateTime: instantOf(facts.createdMs),
    lastModifiedDateTime: instantOf(site.modifiedMs),
    webUrl: siteUrl,
    isPersonalSite: site.isPersonal,
    siteCollection: {
      hostname: facts.hostname,
      ...(facts.path === '' && { root: {} }),
      ...(facts.dataLocationCode !== undefined && { dataLocationCode: facts.dataLocationCode }),
    },
    ...(parent ? { parentReference: { siteId: parent.id } } : { root: {} }),
    sharepointIds: { siteId: facts.siteId, webId: facts.webId, siteUrl, tenantId },
  };
}

/** What leaves of a site when nothing is selected. */
export const siteDefaults: readonly string[] = [
  ...['id', 'name', 'displayName', 'description', 'createdDateTime', 'lastModifiedDateTime', 'webUrl'],
  ...['isPersonalSite', 'siteCollection', 'parentReference', 'root'],
];

/** The `list` of the wire. */
export function listEntity(list: SiteList, site: Site, tenantId: string): JsonObject {
  const { facts } = list;
  const createdBy: IdentitySet = facts.createdBy;
  const { siteId, webId } = site.facts;
  return {
    id: facts.id,
    name: facts.name,
    displayName: facts.displayName,
    description: facts.description,
    createdBy,
    createdDateTime: instantOf(facts.createdMs),
    lastModifiedDateTime: instantOf(list.drive?.root.modifiedMs ?? facts.createdMs),
    eTag: `"${facts.id},${list.changes.position}"`,
    webUrl: `${site.webUrl}/${list.drive ? '' : 'Lists/'}${encodeURIComponent(facts.name)}`,
    parentReference: { siteId: site.id },
    list: { contentTypesEnabled: facts.contentTypesEnabled, hidden: facts.hidden, template: facts.template },
    ...(facts.isSystem && { system: {} }),
    sharepointIds: { listId: facts.id, siteId, webId, siteUrl: site.webUrl, tenantId },
  };
}

export const listDefaults: readonly string[] = [
  ...['id', 'name', 'displayName', 'description', 'createdBy', 'createdDateTime', 'lastModifiedDateTime', 'eTag'],
  ...['webUrl', 'parentReference', 'list'],
];
