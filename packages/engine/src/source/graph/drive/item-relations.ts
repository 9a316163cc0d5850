import type { BatchReply } from '../batch.ts';
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { itemPath } from './drive-paths.ts';

/** What an item's entity leaves out, where somebody wants it. */
export interface Relations {
  /** Of an item that is shared by itself: all that hold for it. */
  permissions: JsonObject[] | null;
  /** Newest first, the current one among them. */
  versions: JsonObject[] | null;
}

export interface WantedRelations {
  id: string;
  permissions: boolean;
  /** Most versions that are wanted, the current one among them; 0 for none. */
  versionsMax: number;
}

/**
 * Asks for what several items want, in batches.
 * @returns for each its relations, or the refusal of one of its calls
 */
export async function readRelations(
  reading: Reading,
  wanted: readonly WantedRelations[],
): Promise<(Relations | { error: Error })[]> {
  const { connection, request } = reading;
  const calls: { path: string }[] = [];
  const indexOf = (isWanted: boolean, path: string) => (isWanted ? calls.push({ path }) - 1 : null);
  const places = wanted.map(({ id, permissions, versionsMax }) => {
    const path = itemPath(request.object.id, id);
    return {
      permissions: indexOf(permissions, `${path}/permissions`),
      versions: indexOf(versionsMax > 0, `${path}/versions`),
      versionsMax,
    };
  });
  const replies = await connection.batch(calls, request.signal);
  return Promise.all(
    places.map(async ({ permissions, versions, versionsMax }) => {
      try {
        return {
          permissions: permissions === null ? null : await allOf(reading, replies[permissions]),
          versions: versions === null ? null : await allOf(reading, replies[versions], versionsMax),
        };
      } catch (error) {
        return { error: error instanceof Error ? error : new Error(String(error)) };
      }
    }),
  );
}

/** The entities of a list whose first page came in a batch. @throws GraphError for a refusal */
async function allOf(
  { connection, request }: Reading,
  reply: BatchReply | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<JsonObject[]> {
  if (reply === undefined) throw new TypeError('A batch left a call unanswered.');
  if ('error' in reply) throw reply.error;
  if (!isObject(reply.body)) throw new TypeError('Microsoft 365 answered with something that is no list.');
  const found = objectsOf(reply.body['value']);
  const next = textOf(objectOf(reply.body)['@odata.nextLink']);
  if (next === undefined || found.length >= most) return found.slice(0, most);
  for await (const { value } of connection.pages({ path: next, signal: request.signal })) {
    found.push(...value);
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}
