import { inOrder } from '../../../model/in-order.ts';
import type { Item } from '../../../model/items.ts';
import type { Scan, SourceEvent } from '../../source.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { type ScannedEntity, scanIfChanged } from '../scan-if-changed.ts';
import type { SharePointSite } from '../sharepoint/sharepoint.ts';
import type { ListToRead } from './lists.ts';
import type { OwnInterface } from './own-interface.ts';
import { listItem } from './site-item.ts';
import type { SiteParts } from './site-parts.ts';

const SCAN: Scan = { scope: 'role-assignments', kinds: ['role-assignments'] };
const ROLES = 'roleassignments?$expand=Member,RoleDefinitionBindings';
const UNIQUE = '$select=Id,HasUniqueRoleAssignments';
/** The most that a page has. */
const ROWS_A_PAGE = 5_000;
const AT_ONCE = 4;

/** What has roles of its own: a list, or a row of one (`row` is its number). */
interface Securable {
  listId: string;
  listName: string;
  row: string | null;
}

/**
 * Who has which role in a site, with the groups of the site; and in its lists and rows, where that is their own and not inherited. Nothing reports a
 * change of it, so all is asked for in every run.
 * https://learn.microsoft.com/sharepoint/dev/sp-add-ins/set-custom-permissions-on-a-list-by-using-the-rest-interface
 */
export async function* readRoleAssignments(
  reading: Reading,
  own: OwnInterface,
  parts: SiteParts,
  lists: readonly ListToRead[],
): AsyncGenerator<SourceEvent> {
  const { request } = reading;
  try {
    const all = await own.use((site) => allRoles(site, parts, lists, request.signal));
    yield* scanIfChanged(request, SCAN, all);
  } catch (error) {
    request.signal.throwIfAborted();
    const wasRead = request.cursors.has(SCAN.scope);
    yield await own.notRead('the roles of persons and groups', 'Sites.FullControl.All', wasRead, error);
  }
}

async function allRoles(
  site: SharePointSite,
  parts: SiteParts,
  lists: readonly ListToRead[],
  signal: AbortSignal,
): Promise<ScannedEntity[]> {
  const found = [await rolesOfSite(site, signal)];
  const stored = new Map(parts.lists.map(({ entity }) => [idOf(entity).toLowerCase(), listItem(entity)]));
  for await (const one of inOrder(securables(site, stored, lists, signal), AT_ONCE, (of) => rolesOf(site, of, signal)))
    found.push(one);
  return found;
}

async function rolesOfSite(site: SharePointSite, signal: AbortSignal): Promise<ScannedEntity> {
  const roleAssignments = await site.all(`web/${ROLES}`, signal);
  const { HasUniqueRoleAssignments } = await site.ask('web?$select=HasUniqueRoleAssignments', signal);
  const siteGroups = await site.all('web/sitegroups?$expand=Users', signal);
  const item = itemOf('role-assignments/site', null, 'Permissions');
  return { item, entity: { HasUniqueRoleAssignments, roleAssignments, siteGroups } };
}

async function* securables(
  site: SharePointSite,
  stored: ReadonlyMap<string, Item>,
  lists: readonly ListToRead[],
  signal: AbortSignal,
): AsyncGenerator<Securable> {
  for (const list of await site.all(`web/lists?${UNIQUE}`, signal)) {
    const known = stored.get(String(list['Id']).toLowerCase());
    if (known !== undefined && list['HasUniqueRoleAssignments'] === true)
      yield { listId: known.id, listName: known.name, row: null };
  }
  // What is in a library is a file, and is shared as such: its drive says with whom.
  for (const { id, name } of lists.filter(({ isLibrary }) => !isLibrary)) {
    const rows = await site.all(`${listPath(id)}/items?${UNIQUE}&$top=${ROWS_A_PAGE}`, signal);
    for (const row of rows)
      if (row['HasUniqueRoleAssignments'] === true) yield { listId: id, listName: name, row: String(row['Id']) };
  }
}

async function rolesOf(
  site: SharePointSite,
  { listId, listName, row }: Securable,
  signal: AbortSignal,
): Promise<ScannedEntity> {
  const at = row === null ? listPath(listId) : `${listPath(listId)}/items(${encodeURIComponent(row)})`;
  const roleAssignments = await site.all(`${at}/${ROLES}`, signal);
  const name = row === null ? `Permissions of ${listName}` : `Permissions of ${listName}, item ${row}`;
  const id = row === null ? `role-assignments/${listId}` : `role-assignments/${listId}/${row}`;
  return { item: itemOf(id, listId, name), entity: { listId, row, roleAssignments } };
}

const listPath = (id: string) => `web/lists(guid'${encodeURIComponent(id)}')`;
const idOf = (entity: JsonObject) => textOf(objectOf(entity)['id']) ?? '';

function itemOf(id: string, parentId: string | null, name: string): Item {
  return { id, kind: 'role-assignments', parentId, name, sizeBytes: 0, modifiedAt: null, details: {} };
}
