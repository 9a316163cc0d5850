import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { isObject, type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json.ts';

/**
 * Shares an item as it was: with people and groups by an invitation without a message, by a link of the same kind. A link gets a new
 * address; passwords cannot be read from Graph, so none is set again. https://learn.microsoft.com/graph/api/driveitem-invite
 * @returns what could not be shared
 */
export async function shareItem(
  connection: GraphConnection,
  itemPath: string,
  permissions: readonly unknown[],
  signal: AbortSignal,
): Promise<string[]> {
  const losses: string[] = [];
  for (const permission of permissions.filter(isObject).filter(isOwn)) {
    try {
      await shareOne(connection, itemPath, permission, signal);
    } catch (error) {
      if (!(error instanceof GraphError) || ![400, 403, 404].includes(error.status)) throw error;
      losses.push('some of its sharing: the person or group is not known there, or links are not allowed');
    }
  }
  return [...new Set(losses)];
}

/** What is inherited comes with the folder, and owners are those of the drive. */
function isOwn(permission: JsonObject): boolean {
  return !isObject(permission['inheritedFrom']) && !textsOf(permission['roles']).includes('owner');
}

async function shareOne(
  connection: GraphConnection,
  itemPath: string,
  permission: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const expirationDateTime = textOf(permission['expirationDateTime']);
  const until = expirationDateTime === undefined ? {} : { expirationDateTime };
  const { type, scope } = objectOf(permission['link']);
  if (textOf(type) !== undefined) {
    const body = { type, scope, ...until };
    await connection.ask({ method: 'POST', path: `${itemPath}/createLink`, body, isRepeatable: true, signal });
    return;
  }
  const recipients = recipientsOf(permission);
  if (recipients.length === 0) return;
  const body = {
    recipients,
    roles: textsOf(permission['roles']),
    requireSignIn: true,
    sendInvitation: false,
    ...until,
  };
  await connection.ask({ method: 'POST', path: `${itemPath}/invite`, body, isRepeatable: true, signal });
}

/** People by their addresses, which outlast the move into another organization; others by their ids. */
function recipientsOf(permission: JsonObject): object[] {
  const granted = [objectOf(permission['grantedToV2']), ...objectsOf(permission['grantedToIdentitiesV2'])];
  return granted.flatMap((one): object[] => {
    const who = objectOf(one['user'] ?? one['group'] ?? one['siteUser']);
    const [email, objectId] = [textOf(who['email']), textOf(who['id'])];
    if (email !== undefined) return [{ email }];
    return objectId === undefined ? [] : [{ objectId }];
  });
}
