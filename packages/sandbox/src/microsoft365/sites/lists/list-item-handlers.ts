import { instantOf } from '../../drives/identity-set.ts';
import { itemNotFound } from '../../drives/items/drive-item.ts';
import { representationOf as driveItemsOf, editOf, entityOf } from '../../drives/items/item-call.ts';
import { collectionReply } from '../../wire/collection.ts';
import { deltaReply } from '../../wire/delta.ts';
import type { GraphCall, GraphReply } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import { type JsonObject, objectOf, textOf } from '../../wire/json.ts';
import { entityReply, type Representation } from '../../wire/representation.ts';
import { driveOf, listOf, rowContextOf, siteOf } from '../site-call.ts';
import { completeFields, readFields } from './field-values.ts';
import type { ListItem } from './list-item.ts';
import { eTagOfRow, fieldsEntity, listItemEntity, type RowContext, rowDefaults } from './list-item-entity.ts';

/** Rows a page. */
const pageSize = 200;

function contextOf(call: GraphCall): RowContext {
  const site = siteOf(call);
  return rowContextOf(call, site, listOf(call, site));
}

/** The row of a file or folder that is named as an item of its drive. */
export function getListItemOfFile(call: GraphCall): GraphReply {
  const drive = call.tenant.drives.drive(call.params['drive'] ?? '');
  const { site, list } = call.tenant.sites.listOfDrive(drive);
  const row = list.itemOfChange(drive.item(call.params['item'] ?? '').id);
  if (!row) throw itemNotFound();
  const context = rowContextOf(call, site, list);
  return entityReply(call, listItemEntity(row, context), representation(call, context));
}

const rowOf = (call: GraphCall, { list }: RowContext): ListItem => list.item(call.params['item'] ?? '');

/** Fields leave when expanded, all of them or those of `$expand=fields($select=Title,Color)`. */
function representation(call: GraphCall, { list, site }: RowContext): Representation {
  return {
    context: `sites('${site.id}')/lists('${list.facts.id}')/items`,
    defaults: rowDefaults,
    expand: {
      fields: (entity, options) => selectedFields(objectOf(entity['fields']), options),
      driveitem: (entity) => {
        const { driveItem } = list.item(String(entity['id']));
        return driveItem && list.drive && entityOf(call, list.drive, driveItem);
      },
      versions: (entity) => list.item(String(entity['id'])).versions.map(({ id }) => ({ id })),
    },
  };
}

function selectedFields(fields: JsonObject, options: string): JsonObject {
  const names = /\$select=([^;]*)/i
    .exec(options)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  if (!names) return fields;
  const selected = Object.entries(fields).filter(([name]) => names.includes(name) || name.startsWith('@odata'));
  return Object.fromEntries(selected);
}

export function listItems(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const rows = context.list.items;
  const listing = {
    length: rows.length,
    slice: (start: number, end: number) => rows.slice(start, end).map((row) => listItemEntity(row, context)),
  };
  return collectionReply(call, listing, { ...representation(call, context), pageSize });
}

export function itemsDelta(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const { list } = context;
  const source = {
    changes: list.changes,
    read: (key: string) => {
      const row = list.itemOfChange(key);
      return row && listItemEntity(row, context);
    },
    removed: (key: string) => ({ id: list.idOfChange(key), deleted: { state: 'deleted' } }),
    goneCode: 'resyncChangesApplyDifferences',
  };
  return deltaReply(call, source, { ...representation(call, context), pageSize });
}

export function getListItem(call: GraphCall): GraphReply {
  const context = contextOf(call);
  return entityReply(call, listItemEntity(rowOf(call, context), context), representation(call, context));
}

export function createListItem(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const { list } = context;
  const body = objectOf(call.body);
  const given = objectOf(body['fields']);
  const fields = completeFields(readFields(given, list.columns), list.columns);
  const typeKey = textOf(objectOf(body['contentType'])['id']) ?? textOf(given['ContentType']);
  const type = list.contentTypes.find(({ id, name }) => id === typeKey || name === typeKey);
  if (typeKey !== undefined && !type)
    throw new GraphError(400, 'invalidRequest', `The content type '${typeKey}' is unknown.`);
  const row = list.add(fields, editOf(call), type?.id);
  // What was made leaves with its fields, as at the vendor.
  const how = representation(call, context);
  return entityReply(call, listItemEntity(row, context), { ...how, defaults: [...rowDefaults, 'fields'] }, 201);
}

/** Updates the fields of a row, which are accepted here as well as at their own address. */
export function updateListItem(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const row = rowOf(call, context);
  checkTag(call, row);
  const fields = objectOf(objectOf(call.body)['fields']);
  context.list.update(row, readFields(fields, context.list.columns), editOf(call));
  return getListItem(call);
}

export function deleteListItem(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const row = rowOf(call, context);
  checkTag(call, row);
  context.list.remove(row);
  return { status: 204 };
}

export function getFields(call: GraphCall): GraphReply {
  const context = contextOf(call);
  return entityReply(call, fieldsEntity(rowOf(call, context), context), { context: 'fieldValueSet/$entity' });
}

export function updateFields(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const row = rowOf(call, context);
  checkTag(call, row);
  context.list.update(row, readFields(objectOf(call.body), context.list.columns), editOf(call));
  return getFields(call);
}

export function listItemVersions(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const row = rowOf(call, context);
  const versions = row.versions.map((version) => ({
    id: version.id,
    lastModifiedBy: version.modifiedBy,
    lastModifiedDateTime: instantOf(version.modifiedMs),
    fields: fieldsEntity(row, context, version),
  }));
  const how = {
    context: 'Collection(listItemVersion)',
    defaults: ['id', 'lastModifiedBy', 'lastModifiedDateTime'],
    expand: { fields: (entity: JsonObject, options: string) => selectedFields(objectOf(entity['fields']), options) },
  };
  return collectionReply(call, versions, how);
}

export function restoreItemVersion(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const row = rowOf(call, context);
  const version = row.versions.find(({ id }) => id === call.params['version']);
  if (!version) throw itemNotFound();
  const { driveItem } = row;
  if (!driveItem) context.list.update(row, version.fields, editOf(call));
  else {
    const content = driveItem.versions.find(({ id }) => id === version.id)?.content;
    if (content) driveOf(context.list).write(driveItem, content, editOf(call));
  }
  return { status: 204 };
}

export function getDriveItem(call: GraphCall): GraphReply {
  const context = contextOf(call);
  const { driveItem } = rowOf(call, context);
  if (!driveItem) throw itemNotFound();
  const drive = driveOf(context.list);
  return entityReply(call, entityOf(call, drive, driveItem), driveItemsOf(call, drive));
}

function checkTag({ headers }: GraphCall, row: ListItem): void {
  const asked = headers['if-match'];
  if (asked === undefined || asked === '*' || asked === eTagOfRow(row)) return;
  throw new GraphError(412, 'resourceModified', 'ETag does not match current value of the item');
}
