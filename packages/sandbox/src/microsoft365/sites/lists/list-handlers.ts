import { uid } from '../../../world/random.ts';
import { Drive } from '../../drives/drive.ts';
import { identityOf } from '../../drives/items/item-call.ts';
import { driveIdOf } from '../../drives/items/item-id.ts';
import { collectionReply } from '../../wire/collection.ts';
import type { GraphCall, GraphReply } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../../wire/json.ts';
import { entityReply } from '../../wire/representation.ts';
import { libraryPermissions } from '../library-permissions.ts';
import type { Site } from '../site.ts';
import { listOf, siteOf } from '../site-call.ts';
import { listDefaults, listEntity } from '../site-entity.ts';
import { columnEntity, readColumn } from './column.ts';
import { contentTypeEntity, copyOf, documentType, folderType, itemType } from './content-type.ts';
import { SiteList } from './site-list.ts';
import { standardColumns } from './standard-columns.ts';

const refused = (message: string) => new GraphError(400, 'invalidRequest', message);

function representationOf(site: Site) {
  const listAt = (entity: JsonObject) => site.lists.get(String(entity['id']));
  return {
    context: 'lists',
    defaults: listDefaults,
    expand: {
      columns: (entity: JsonObject) => listAt(entity)?.columns.map(columnEntity) ?? [],
      contenttypes: (entity: JsonObject) => listAt(entity)?.contentTypes.map(contentTypeEntity) ?? [],
    },
  };
}

/** Lists of the system leave only when `system` is selected, as documented. */
export function listLists(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const withSystem = /\bsystem\b/.test(call.query.get('$select') ?? '');
  const lists = [...site.lists.values()].filter(({ facts }) => withSystem || !facts.isSystem);
  return collectionReply(
    call,
    lists.map((list) => listEntity(list, site, call.tenant.id)),
    representationOf(site),
  );
}

export function getList(call: GraphCall): GraphReply {
  const site = siteOf(call);
  return entityReply(call, listEntity(listOf(call, site), site, call.tenant.id), representationOf(site));
}

/** The list behind a drive. */
export function getListOfDrive(call: GraphCall): GraphReply {
  const { site, list } = call.tenant.sites.listOfDrive(call.tenant.drives.drive(call.params['drive'] ?? ''));
  return entityReply(call, listEntity(list, site, call.tenant.id), representationOf(site));
}

/** Creates a list with its columns; of `template: documentLibrary`, with a drive. */
export function createList(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const body = objectOf(call.body);
  const displayName = textOf(body['displayName']) ?? textOf(body['name']);
  if (!displayName) throw refused('A list needs a displayName.');
  if ([...site.lists.values()].some(({ facts }) => facts.displayName === displayName)) {
    throw new GraphError(409, 'nameAlreadyExists', 'The specified name already exists.');
  }
  const template = textOf(objectOf(body['list'])['template']) ?? 'genericList';
  const list = newList(call, site, { displayName, template, description: textOf(body['description']) ?? '' });
  list.columns.push(...objectsOf(body['columns']).map((column) => readColumn(column, call.tenant.newId())));
  return entityReply(call, listEntity(list, site, call.tenant.id), representationOf(site), 201);
}

function newList(
  call: GraphCall,
  site: Site,
  { displayName, template, description }: { displayName: string; template: string; description: string },
): SiteList {
  const { tenant } = call;
  const id = tenant.newId();
  const createdBy = identityOf(call);
  const isLibrary = template === 'documentLibrary';
  const seed = tenant.seed ^ site.lists.size;
  const name = displayName.replace(/[\\/:*?"<>|#%]/g, '').trim();
  const facts = { id, name, displayName, description, template, createdBy, createdMs: tenant.nowMs(), seed };
  const types = (isLibrary ? [documentType, folderType] : [itemType]).map((type) => copyOf(type, tenant.newId()));
  const drive = isLibrary ? newDrive(call, site, id, name) : undefined;
  if (drive) tenant.drives.add(drive);
  const columns = standardColumns(isLibrary, (number) => uid(seed, number, 0xc01));
  const list = new SiteList(
    { ...facts, hidden: false, isSystem: false, contentTypesEnabled: false },
    columns,
    types,
    drive,
  );
  site.lists.set(id, list);
  return list;
}

function newDrive(call: GraphCall, site: Site, listId: string, name: string): Drive {
  const { tenant } = call;
  const { siteId, webId, hostname } = site.facts;
  return new Drive({
    id: driveIdOf(siteId, webId, listId),
    driveType: 'documentLibrary',
    name,
    description: '',
    owner: identityOf(call),
    webUrl: `${site.webUrl}/${encodeURIComponent(name)}`,
    createdMs: tenant.nowMs(),
    site: { siteId, webId, listId, siteUrl: site.webUrl, hostname },
    quotaTotal: 27_487_790_694_400,
    permissions: libraryPermissions(site, undefined),
    seed: (tenant.seed ^ Number.parseInt(listId.slice(0, 8), 16)) >>> 0,
  });
}

export function updateList(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const list = listOf(call, site);
  const body = objectOf(call.body);
  const { displayName, description } = list.facts;
  list.facts = {
    ...list.facts,
    displayName: textOf(body['displayName']) ?? displayName,
    description: textOf(body['description']) ?? description,
  };
  return entityReply(call, listEntity(list, site, call.tenant.id), representationOf(site));
}

export function deleteList(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const list = listOf(call, site);
  if (list.facts.isSystem) throw new GraphError(403, 'accessDenied', 'A list of the system cannot be deleted.');
  site.lists.delete(list.facts.id);
  if (list.drive) call.tenant.drives.delete(list.drive);
  return { status: 204 };
}
