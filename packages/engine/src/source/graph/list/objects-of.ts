import type { Alert } from '../../../model/outcome.ts';
import type { ObjectKind, ProtectedObject } from '../../../model/protected-object.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { groupOwner } from '../group/read-group.ts';
import { type JsonObject, textOf } from '../json.ts';
import { mailboxIdsOf } from '../mailbox/exchange-export.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import type { Subject } from './subject.ts';

/** The objects of some kinds that hang on a subject. */
export async function objectsOf(
  connection: GraphConnection,
  subject: Subject,
  kinds: ReadonlySet<ObjectKind>,
  signal: AbortSignal,
): Promise<(ProtectedObject | Alert)[]> {
  const found: (ProtectedObject | Alert)[] = [];
  const own = (kind: ObjectKind, owner: string | null): ProtectedObject => {
    const { id, name, address } = subject;
    return { organizationId: connection.tenantId, kind, id, name, owner, address };
  };
  const isUser = subject.type === 'user';
  if (isUser && (kinds.has('mailbox') || kinds.has('archive')) && (await hasMailbox(connection, subject, signal))) {
    if (kinds.has('mailbox')) found.push(own('mailbox', null));
    if (kinds.has('archive') && (await mailboxIdsOf(connection, subject.id, signal)).archive !== null)
      found.push(own('archive', `user/${subject.id}`));
  }
  if (subject.type === 'group' && kinds.has('mailbox')) found.push(own('mailbox', groupOwner(subject.id)));
  if (isUser && kinds.has('chats') && subject.services.has('teamspaceapi'))
    found.push(own('chats', `user/${subject.id}`));
  if (subject.type === 'team' && kinds.has('team')) found.push(own('team', null));
  if (subject.type === 'site' && kinds.has('site')) found.push(own('site', null));
  if (kinds.has('drive')) found.push(...(await drivesOf(connection, subject, signal)));
  return found;
}

/** A plan tells; shared mailboxes have none, and are asked. */
async function hasMailbox(connection: GraphConnection, subject: Subject, signal: AbortSignal): Promise<boolean> {
  if (subject.services.has('exchange')) return true;
  if (!subject.mayBeShared) return false;
  return isThere(connection.ask({ path: `${path`/users/${subject.id}/mailFolders/inbox`}?$select=id`, signal }));
}

async function isThere(asking: Promise<JsonObject>): Promise<boolean> {
  try {
    await asking;
    return true;
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return false;
    throw error;
  }
}

const DRIVES_OF = { user: 'users', group: 'groups', team: 'groups', site: 'sites' } as const;

async function drivesOf(
  connection: GraphConnection,
  subject: Subject,
  signal: AbortSignal,
): Promise<ProtectedObject[]> {
  if (subject.type === 'user' && subject.services.size > 0 && !subject.services.has('sharepoint')) return [];
  const drives: ProtectedObject[] = [];
  try {
    const call = `/${DRIVES_OF[subject.type]}/${encodeURIComponent(subject.id)}/drives`;
    for await (const { value } of connection.pages({ path: call, signal })) {
      drives.push(...value.map((drive) => driveObject(connection.tenantId, subject, drive)));
    }
  } catch (error) {
    // A person who never opened OneDrive has none, and a group may be without a site.
    if (!(error instanceof GraphError) || error.status !== 404) throw error;
  }
  return drives;
}

function driveObject(organizationId: string, subject: Subject, drive: JsonObject): ProtectedObject {
  const name = textOf(drive['name']) ?? 'Documents';
  return {
    organizationId,
    kind: 'drive',
    id: textOf(drive['id']) ?? '',
    name: `${subject.name}: ${name}`,
    owner: `${subject.type}/${subject.id}`,
    address: subject.type === 'user' ? subject.address : (textOf(drive['webUrl']) ?? null),
  };
}
