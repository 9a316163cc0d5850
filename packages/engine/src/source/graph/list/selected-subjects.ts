import { EngineError } from '../../../model/engine-error.ts';
import type { ListingNote, SelectedItem } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { brokenList, isOfItAlone, refusedItem } from './listing-notes.ts';
import { withSitesBelow } from './sites.ts';
import {
  GROUP_QUERY,
  groupSubjects,
  type Subject,
  siteSubject,
  teamSubject,
  USER_QUERY,
  userSubject,
} from './subject.ts';

/**
 * The subjects that a selected item selects: a group its members, however deep, and its own mailbox; with notes of those that could
 * not be looked up. `null`: it is not there any more.
 */
export async function subjectsOf(
  connection: GraphConnection,
  item: SelectedItem,
  signal: AbortSignal,
): Promise<(Subject | ListingNote)[] | null> {
  try {
    switch (item.type) {
      case 'user':
        return [userSubject(await connection.ask({ path: `${path`/users/${item.id}`}?${USER_QUERY}`, signal }))];
      case 'team':
        return [teamSubject(await connection.ask({ path: path`/teams/${item.id}`, signal }))];
      case 'site':
        return await siteWithSitesBelow(connection, item.id, signal);
      case 'group':
        return await groupWithMembers(connection, item.id, signal);
      case 'all':
        throw new EngineError(
          'bad-request',
          'A whole list of the organization cannot be excluded. Select what is to be backed up.',
        );
    }
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return null;
    if (!isOfItAlone(error)) throw error;
    return [item.type === 'group' ? brokenMembers(item.id, error) : refusedItem(item, error)];
  }
}

/** Who is in a group that cannot be read is not known, as with a list of the tenant. */
const brokenMembers = (group: string, error: EngineError) => brokenList(`the members of the group ${group}`, error);

async function siteWithSitesBelow(
  connection: GraphConnection,
  id: string,
  signal: AbortSignal,
): Promise<(Subject | ListingNote)[]> {
  const site = siteSubject(await connection.ask({ path: sitePath(id), signal }));
  const found: (Subject | ListingNote)[] = [];
  for await (const one of withSitesBelow(connection, [site], signal)) found.push(one);
  return found;
}

/** A site by its id, or by its URL as `host:/path`. */
function sitePath(id: string): string {
  if (!/^https?:/i.test(id)) return path`/sites/${id}`;
  const { hostname, pathname } = new URL(id);
  const below = pathname.replace(/\/+$/, '');
  return below === '' ? path`/sites/${hostname}` : `/sites/${hostname}:${below}`;
}

async function groupWithMembers(
  connection: GraphConnection,
  group: string,
  signal: AbortSignal,
): Promise<(Subject | ListingNote)[]> {
  const id = group.includes('@') ? await groupIdOf(connection, group, signal) : group;
  const itself = groupSubjects(await connection.ask({ path: `${path`/groups/${id}`}?${GROUP_QUERY}`, signal }));
  return [...itself.filter(({ type }) => type === 'group'), ...(await membersOf(connection, id, signal))];
}

/** Those that were found before the list broke off are members all the same. */
async function membersOf(
  connection: GraphConnection,
  id: string,
  signal: AbortSignal,
): Promise<(Subject | ListingNote)[]> {
  const members: (Subject | ListingNote)[] = [];
  const call = { path: `${path`/groups/${id}/transitiveMembers`}?$top=999`, signal };
  try {
    for await (const { value } of connection.pages(call)) {
      for (const member of value) {
        if (!/user$/i.test(textOf(member['@odata.type']) ?? 'user')) continue;
        members.push(...(await memberOf(connection, textOf(member['id']) ?? '', signal)));
      }
    }
  } catch (error) {
    if (!isOfItAlone(error)) throw error;
    members.push(brokenMembers(id, error));
  }
  return members;
}

/** Members come without their plans. One who was deleted meanwhile is no member any more. */
async function memberOf(
  connection: GraphConnection,
  id: string,
  signal: AbortSignal,
): Promise<(Subject | ListingNote)[]> {
  try {
    return [userSubject(await connection.ask({ path: `${path`/users/${id}`}?${USER_QUERY}`, signal }))];
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return [];
    if (isOfItAlone(error)) return [refusedItem({ type: 'user', id }, error)];
    throw error;
  }
}

/** @throws GraphError 404 when no group has the address */
async function groupIdOf(connection: GraphConnection, address: string, signal: AbortSignal): Promise<string> {
  const filter = encodeURIComponent(`mail eq '${address.replaceAll("'", "''")}'`);
  const { value } = await connection.page({ path: `/groups?$filter=${filter}&$select=id`, signal });
  const id = textOf(value[0]?.['id']);
  if (id !== undefined) return id;
  throw new GraphError('not-found', 404, 'Request_ResourceNotFound', `No group has the address ${address}.`, false);
}
