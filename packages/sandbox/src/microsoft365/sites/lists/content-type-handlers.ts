import { itemNotFound } from '../../drives/items/drive-item.ts';
import { collectionReply } from '../../wire/collection.ts';
import type { GraphCall, GraphReply } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import { objectOf, textOf } from '../../wire/json.ts';
import { entityReply } from '../../wire/representation.ts';
import { listOf, siteOf } from '../site-call.ts';
import { type ContentType, contentTypeEntity, copyOf, itemType } from './content-type.ts';
import type { SiteList } from './site-list.ts';

const refused = (message: string) => new GraphError(400, 'invalidRequest', message);

export function listContentTypes(call: GraphCall): GraphReply {
  const types = listOf(call, siteOf(call)).contentTypes.map(contentTypeEntity);
  return collectionReply(call, types, { context: 'Collection(contentType)' });
}

/** Creates a content type in a list, below the one that `base` names. */
export function createContentType(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const body = objectOf(call.body);
  const name = textOf(body['name']);
  const baseId = textOf(objectOf(body['base'])['id']) ?? itemType.id;
  const base = site.contentTypes.find(({ id }) => id === baseId);
  if (!name || !base) throw refused('A content type needs a name and a base that the site has.');
  const type = { ...copyOf(base, call.tenant.newId()), name, description: textOf(body['description']) ?? '' };
  return addContentType(call, listOf(call, site), type);
}

/** Copies a content type of the site into a list; it is named by its address or its id. */
export function addContentTypeCopy(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const address = textOf(objectOf(call.body)['contentType']) ?? '';
  const found = site.contentTypes.find(({ id }) => id === decodeURIComponent(address.split('/').at(-1) ?? ''));
  if (!found) throw itemNotFound();
  return addContentType(call, listOf(call, site), copyOf(found, call.tenant.newId()));
}

function addContentType(call: GraphCall, list: SiteList, type: ContentType): GraphReply {
  if (list.contentTypes.some(({ name }) => name === type.name)) {
    throw new GraphError(409, 'nameAlreadyExists', `A content type of the name '${type.name}' already exists.`);
  }
  list.contentTypes.push(type);
  list.facts = { ...list.facts, contentTypesEnabled: true };
  const entity = contentTypeEntity(type, list.contentTypes.length - 1);
  return entityReply(call, entity, { context: 'contentType/$entity' }, 201);
}
