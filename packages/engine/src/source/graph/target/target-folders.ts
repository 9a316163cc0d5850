import { EngineError } from '../../../model/engine-error.ts';
import type { MailboxFolderKind, NewFolder, TargetFolder } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { paged, path, SINGLE } from '../mailbox/mailbox-paths.ts';
import type { MailboxWriting } from './mailbox-writing.ts';

const COLLECTIONS = {
  'mail-folder': 'mailFolders',
  calendar: 'calendars',
  'contact-folder': 'contactFolders',
  'task-list': 'todo/lists',
} as const;

/** Kinds whose folders can contain others. */
const NESTED: ReadonlySet<MailboxFolderKind> = new Set<MailboxFolderKind>(['mail-folder', 'contact-folder']);

const ROLES = ['inbox', 'drafts', 'sentitems', 'deleteditems', 'junkemail', 'archive', 'outbox', 'conversationhistory'];

/** The contract is `MailboxTarget.listFolders`. */
export async function listFolders(
  { connection, user }: MailboxWriting,
  kind: MailboxFolderKind,
  signal: AbortSignal,
): Promise<TargetFolder[]> {
  const base = `${path`/users/${user}`}/${COLLECTIONS[kind]}`;
  const roles = await rolesOf(connection, base, kind, signal);
  const found = new Map<string, TargetFolder>();
  if (kind === 'contact-folder') {
    const standard = folderOf(
      kind,
      await connection.ask({ path: `${base}/contacts`, headers: SINGLE, signal }),
      null,
      'default',
    );
    found.set(standard.id, standard);
  }
  await listBelow(base, null);
  return [...found.values()];

  async function listBelow(list: string, parentId: string | null): Promise<void> {
    const query = kind === 'mail-folder' ? '?includeHiddenFolders=true' : '';
    for await (const { value } of connection.pages({ path: list + query, headers: paged(200), signal })) {
      for (const entity of value) {
        const id = textOf(entity['id']) ?? '';
        if (found.has(id)) continue;
        // The list of contact folders is that of the default one, and does not include it.
        const listedParent = textOf(entity['parentFolderId']);
        const above = listedParent !== undefined && found.has(listedParent) ? listedParent : parentId;
        found.set(id, folderOf(kind, entity, above, roles.get(id) ?? null));
        const mayHold = NESTED.has(kind) && entity['childFolderCount'] !== 0;
        if (mayHold) await listBelow(`${base}/${encodeURIComponent(id)}/childFolders`, id);
      }
    }
  }
}

/** The contract is `MailboxTarget.createFolder`. */
export async function createFolder(
  writing: MailboxWriting,
  { kind, name, parentId }: NewFolder,
  signal: AbortSignal,
): Promise<TargetFolder> {
  const { connection, user } = writing;
  const find = async () =>
    (await listFolders(writing, kind, signal)).find(
      (folder) => folder.parentId === parentId && folder.name.toLowerCase() === name.toLowerCase(),
    );
  const there = await find();
  if (there !== undefined) return there;
  if (parentId !== null && !NESTED.has(kind))
    throw new EngineError('bad-request', `A ${kind} cannot be created inside another one: '${name}'.`);
  const base = `${path`/users/${user}`}/${COLLECTIONS[kind]}`;
  const within = parentId === null ? base : `${base}/${encodeURIComponent(parentId)}/childFolders`;
  const body = kind === 'calendar' ? { name } : { displayName: name };
  try {
    const entity = await connection.ask({ method: 'POST', path: within, headers: SINGLE, body, signal });
    return folderOf(kind, entity, parentId, null);
  } catch (error) {
    // Another restore has made it since it was looked for.
    const made = error instanceof GraphError && error.status === 409 ? await find() : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

async function rolesOf(connection: GraphConnection, base: string, kind: MailboxFolderKind, signal: AbortSignal) {
  const roles = new Map<string, string>();
  if (kind !== 'mail-folder') return roles;
  const calls = ROLES.map((role) => ({ path: `${base}/${role}?$select=id`, headers: SINGLE }));
  for (const [index, reply] of (await connection.batch(calls, signal)).entries()) {
    if ('error' in reply && !(reply.error instanceof GraphError && [400, 404].includes(reply.error.status)))
      throw reply.error;
    const id = 'error' in reply ? undefined : textOf(objectOf(reply.body)['id']);
    if (id !== undefined) roles.set(id, ROLES[index] ?? '');
  }
  return roles;
}

function folderOf(
  kind: MailboxFolderKind,
  entity: JsonObject,
  parentId: string | null,
  role: string | null,
): TargetFolder {
  const isStandard = entity['isDefaultCalendar'] === true || entity['wellknownListName'] === 'defaultList';
  return {
    id: textOf(entity['id']) ?? '',
    kind,
    name: textOf(entity['displayName']) ?? textOf(entity['name']) ?? '',
    parentId,
    role: isStandard ? 'default' : role,
  };
}
