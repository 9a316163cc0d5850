import type { Edit } from '../drives/identity-set.ts';
import type { ListItem } from '../sites/lists/list-item.ts';
import type { SiteList } from '../sites/lists/site-list.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { JsonObject } from '../wire/json.ts';
import { listIn, notFound, ok, type RestCall, RestError, selected, unquoted } from './rest-call.ts';
import { attach, attachmentsOf } from './row-attachments.ts';
import { assignmentEntity, type RoleAssignment, rolesOf, rowKey, siteGroups } from './site-roles.ts';

/** What a call may be for; https://learn.microsoft.com/sharepoint/understanding-permission-levels */
export type RestRight = 'read' | 'write' | 'permissions';

interface RestRoute {
  method: 'GET' | 'POST';
  /** Of the path behind `/_api/`. */
  path: RegExp;
  right: RestRight;
  handle: (call: RestCall, parts: readonly string[]) => GraphReply;
}

const LIST = String.raw`web/lists\(guid'([0-9a-f-]+)'\)`;
const ROW = String.raw`${LIST}/items\((\d+)\)`;
const PAGE_MAX = 5_000;

const route = (
  method: RestRoute['method'],
  path: string,
  right: RestRight,
  handle: RestRoute['handle'],
): RestRoute => ({ method, path: new RegExp(`^${path}$`, 'i'), right, handle });

function rowIn(call: RestCall, [list, row = '']: readonly string[]): { list: SiteList; row: ListItem } {
  const found = listIn(call, list);
  const item = found.items.find(({ id }) => id === row);
  if (item === undefined) throw notFound();
  return { list: found, row: item };
}

const rolesIn = ({ site, tenant }: RestCall) => rolesOf(site, tenant.drives.people);

function web(call: RestCall): GraphReply {
  const { facts } = call.site;
  const HasUniqueRoleAssignments = rolesIn(call).site !== null;
  return ok(selected(call.query, { Id: facts.webId, Title: facts.displayName, HasUniqueRoleAssignments }));
}

function lists(call: RestCall): GraphReply {
  const rows = [...call.site.lists.values()].map(({ facts }) => {
    const HasUniqueRoleAssignments = rolesIn(call).lists.has(facts.id);
    return selected(call.query, { Id: facts.id, Title: facts.displayName, HasUniqueRoleAssignments });
  });
  return ok({ value: rows });
}

/** Pages of `$top` rows, at most 5,000; without it 100. */
function rowsOf(call: RestCall, parts: readonly string[]): GraphReply {
  const list = listIn(call, parts[0]);
  const size = Math.min(Number(call.query.get('$top') ?? 100), PAGE_MAX);
  const after = Number(/p_ID=(\d+)/.exec(call.query.get('$skiptoken') ?? '')?.[1] ?? 0);
  const all = list.items.filter(({ id }) => Number(id) > after);
  const value = all.slice(0, size).map(({ id }) => {
    const HasUniqueRoleAssignments = rolesIn(call).rows.has(rowKey(list, id));
    return selected(call.query, { Id: Number(id), HasUniqueRoleAssignments });
  });
  if (all.length <= size) return ok({ value });
  const query = new URLSearchParams(call.query);
  query.set('$skiptoken', `Paged=TRUE&p_ID=${String(value.at(-1)?.['Id'])}`);
  return ok({ value, 'odata.nextLink': `${call.url}?${query}` });
}

function assignments(call: RestCall, all: readonly RoleAssignment[]): GraphReply {
  const expand = (call.query.get('$expand') ?? '').split(',');
  const isExpanded = expand.includes('Member') && expand.includes('RoleDefinitionBindings');
  return ok({ value: all.map((one) => assignmentEntity(one, isExpanded)) });
}

/** What is inherited is given out like what is its own. */
const ofSite = (call: RestCall): readonly RoleAssignment[] => rolesIn(call).site ?? [];
const ofList = (call: RestCall, list: SiteList) => rolesIn(call).lists.get(list.facts.id) ?? ofSite(call);

function groups(call: RestCall): GraphReply {
  const isExpanded = call.query.get('$expand') === 'Users';
  const all = siteGroups(call.site, call.tenant.drives.people);
  return ok({ value: all.map(({ Users, ...group }) => (isExpanded ? { ...group, Users } : group)) });
}

const pathOf = ({ site }: RestCall, list: SiteList, row: ListItem, name: string): string =>
  `${site.facts.path}/Lists/${list.facts.name}/Attachments/${row.id}/${name}`;

function attachmentEntity(call: RestCall, list: SiteList, row: ListItem, name: string): JsonObject {
  const path = pathOf(call, list, row, name);
  return {
    FileName: name,
    FileNameAsPath: { DecodedUrl: name },
    ServerRelativePath: { DecodedUrl: path },
    ServerRelativeUrl: path,
  };
}

function listAttachments(call: RestCall, parts: readonly string[]): GraphReply {
  const { list, row } = rowIn(call, parts);
  return ok({ value: [...attachmentsOf(row).keys()].map((name) => attachmentEntity(call, list, row, name)) });
}

/** @throws RestError where one of that name is attached */
function addAttachment(call: RestCall, parts: readonly string[]): GraphReply {
  const { list, row } = rowIn(call, parts);
  const name = unquoted(parts[2]);
  if (attachmentsOf(row).has(name))
    throw new RestError(400, '-2130575257, Microsoft.SharePoint.SPException', 'The specified name is already in use.');
  const edit: Edit = { by: row.modifiedBy, atMs: call.tenant.nowMs() };
  attach(list, row, name, Buffer.isBuffer(call.body) ? call.body : Buffer.alloc(0), edit);
  return ok(attachmentEntity(call, list, row, name));
}

function fileAt(call: RestCall, [quoted]: readonly string[]): GraphReply {
  const path = unquoted(quoted);
  for (const list of call.site.lists.values()) {
    if (list.drive !== undefined) continue;
    for (const row of list.items)
      for (const [name, bytes] of attachmentsOf(row))
        if (pathOf(call, list, row, name) === path) return { status: 200, body: bytes };
  }
  throw notFound();
}

/** The part of SharePoint's own interface that a backup needs. */
export const restRoutes: readonly RestRoute[] = [
  route('GET', 'web', 'read', web),
  route('GET', 'web/lists', 'read', lists),
  route('GET', 'web/sitegroups', 'permissions', groups),
  route('GET', 'web/roleassignments', 'permissions', (call) => assignments(call, ofSite(call))),
  route('GET', `${LIST}/items`, 'read', rowsOf),
  route('GET', `${LIST}/roleassignments`, 'permissions', (call, [id]) =>
    assignments(call, ofList(call, listIn(call, id))),
  ),
  route('GET', `${ROW}/roleassignments`, 'permissions', (call, parts) => {
    const { list, row } = rowIn(call, parts);
    return assignments(call, rolesIn(call).rows.get(rowKey(list, row.id)) ?? ofList(call, list));
  }),
  route('GET', `${ROW}/AttachmentFiles`, 'read', listAttachments),
  route('POST', `${ROW}/AttachmentFiles/addUsingPath\\(DecodedUrl='(.*)'\\)`, 'write', addAttachment),
  route('GET', String.raw`web/GetFileByServerRelativePath\(decodedUrl='(.*)'\)/\$value`, 'read', fileAt),
];
