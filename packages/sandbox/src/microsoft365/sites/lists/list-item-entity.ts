import { type IdentitySet, instantOf, type People } from '../../drives/identity-set.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { Site } from '../site.ts';
import { calculatedValue } from './field-values.ts';
import type { ListItem, ListItemVersion } from './list-item.ts';
import type { SiteList } from './site-list.ts';

/** What an item's entity needs beside the item. */
export interface RowContext {
  site: Site;
  list: SiteList;
  people: People;
  tenantId: string;
}

export const eTagOfRow = (item: ListItem): string => `"${item.uniqueId},${item.revision}"`;

/** The `listItem` of the wire; its fields are there to be filtered by, and leave when they are expanded. */
export function listItemEntity(item: ListItem, context: RowContext): JsonObject {
  const { site, list } = context;
  const type = list.contentTypes.find(({ id }) => id === item.contentTypeId);
  return {
    '@odata.etag': eTagOfRow(item),
    id: item.id,
    createdBy: item.createdBy,
    createdDateTime: instantOf(item.createdMs),
    lastModifiedBy: item.modifiedBy,
    lastModifiedDateTime: instantOf(item.modifiedMs),
    eTag: eTagOfRow(item),
    webUrl: `${site.webUrl}/Lists/${encodeURIComponent(list.facts.name)}/${item.id}_.000`,
    parentReference: { id: item.uniqueId, siteId: site.id },
    contentType: { id: item.contentTypeId, name: type?.name ?? 'Item' },
    sharepointIds: {
      listId: list.facts.id,
      listItemId: item.id,
      listItemUniqueId: item.uniqueId,
      siteId: site.facts.siteId,
      siteUrl: site.webUrl,
      tenantId: context.tenantId,
      webId: site.facts.webId,
    },
    fields: fieldsEntity(item, context),
  };
}

export const rowDefaults: readonly string[] = [
  ...['@odata.etag', 'id', 'createdBy', 'createdDateTime', 'lastModifiedBy', 'lastModifiedDateTime', 'eTag', 'webUrl'],
  ...['parentReference', 'contentType', 'deleted'],
];

/** The `fieldValueSet` of the wire: values by name, persons and lookups by number besides. */
export function fieldsEntity(item: ListItem, context: RowContext, version?: ListItemVersion): JsonObject {
  const { list, people } = context;
  const type = list.contentTypes.find(({ id }) => id === item.contentTypeId);
  const values = version?.fields ?? item.fields;
  return {
    '@odata.etag': eTagOfRow(item),
    id: item.id,
    ContentType: type?.name ?? 'Item',
    ...valuesOf(values, context),
    ...(item.driveItem && libraryFields(item)),
    Created: instantOf(item.createdMs),
    Modified: instantOf(version?.modifiedMs ?? item.modifiedMs),
    AuthorLookupId: lookupIdOf(item.createdBy, people),
    EditorLookupId: lookupIdOf(version?.modifiedBy ?? item.modifiedBy, people),
    _UIVersionString: version?.id ?? item.versions[0]?.id ?? '1.0',
    Attachments: item.hasAttachments,
    LinkTitle: values['Title'],
  };
}

/** SharePoint numbers people in a list of the site; the first numbers are the system's own. */
const firstPersonNumber = 6;
const systemAccount = '1073741823';

/** The number of a person in the site's list of users. */
export function lookupIdOf({ user }: IdentitySet, people: People): string {
  const index = user ? people.users().findIndex(({ id }) => id === user.id) : -1;
  return index < 0 ? systemAccount : String(index + firstPersonNumber);
}

export const lookupIdAt = (index: number): string => String(index + firstPersonNumber);

function valuesOf(values: Record<string, unknown>, context: RowContext): JsonObject {
  const { columns } = context.list;
  const result: Record<string, unknown> = {};
  for (const column of columns) {
    const { name, kind } = column;
    if (kind === 'calculated') {
      const value = calculatedValue(column, values);
      if (value !== undefined) result[name] = value;
      continue;
    }
    const isReference = kind === 'personOrGroup' || kind === 'lookup';
    const value = values[isReference ? `${name}LookupId` : name] ?? undefined;
    if (value === undefined) continue;
    if (!isReference) result[name] = value;
    else if (Array.isArray(value))
      result[name] = value.map((id) => ({ LookupId: Number(id), ...named(id, column, context) }));
    else {
      result[`${name}LookupId`] = String(value);
    }
  }
  return result;
}

/** The target of a reference as text: a person's name and address, or the other list's title. */
function named(id: unknown, { kind, facet }: SiteList['columns'][number], { people, site }: RowContext): JsonObject {
  if (kind === 'personOrGroup') {
    const person = people.users()[Number(id) - firstPersonNumber];
    return person ? { LookupValue: person.displayName, Email: person.mail } : {};
  }
  const other = site.lists.get(String(facet['listId'] ?? ''));
  const row = other?.items.find((item) => item.id === String(id));
  return row ? { LookupValue: row.fields[String(facet['columnName'] ?? 'Title')] } : {};
}

function libraryFields({ driveItem: item }: ListItem): JsonObject {
  if (!item) return {};
  return {
    FileLeafRef: item.name,
    ...(item.kind === 'file' && { FileSizeDisplay: String(item.size), DocIcon: item.name.split('.').at(-1) }),
    FolderChildCount: String([...item.children.values()].filter(({ kind }) => kind === 'folder').length),
    ItemChildCount: String(item.children.size),
  };
}
