import type { GraphConnection } from './connection.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import type { Reply } from './reading-failures.ts';

/**
 * The entities of a list whose first page came in a batch, over all pages or as many as are wanted.
 * @throws GraphError for a refusal
 */
export async function wholeList(
  connection: GraphConnection,
  reply: Reply | undefined,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<JsonObject[]> {
  const body = bodyOfReply(reply);
  const found = objectsOf(body['value']);
  const next = textOf(body['@odata.nextLink']);
  if (next === undefined || found.length >= most) return found.slice(0, most);
  for await (const { value } of connection.pages({ path: next, signal })) {
    found.push(...value);
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/** The entity that a call of a batch came to. @throws GraphError for a refusal */
export function bodyOfReply(reply: Reply | undefined): JsonObject {
  if (reply === undefined) throw new TypeError('A batch left a call unanswered.');
  if ('error' in reply) throw reply.error;
  if (!isObject(reply.body)) throw new TypeError('Microsoft 365 answered with something that is no object.');
  return reply.body;
}
