import { EngineError } from '../../model/engine-error.ts';
import type { GraphConnection } from './connection.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import type { Reply } from './reading-failures.ts';

/**
 * The entities of a list whose first page came in a batch, over all pages.
 * @throws EngineError for a refusal
 */
export async function wholeList(
  connection: GraphConnection,
  reply: Reply | undefined,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  return (await firstOfList(connection, reply, signal, Number.POSITIVE_INFINITY)).first;
}

/**
 * The same of as many as are requested, over no more pages than that takes.
 * @returns how many entities of these pages follow, too: there may be more
 */
export async function firstOfList(
  connection: GraphConnection,
  reply: Reply | undefined,
  signal: AbortSignal,
  most: number,
): Promise<{ first: JsonObject[]; beyond: number }> {
  const body = bodyOfReply(reply);
  const found = objectsOf(body['value']);
  const next = textOf(body['@odata.nextLink']);
  if (next !== undefined && found.length < most)
    for await (const { value } of connection.pages({ path: next, signal })) {
      found.push(...value);
      if (found.length >= most) break;
    }
  return { first: found.slice(0, most), beyond: Math.max(0, found.length - most) };
}

/** The entity that a call of a batch came to. @throws EngineError for a refusal, and for what is none: that is of this call alone */
export function bodyOfReply(reply: Reply | undefined): JsonObject {
  if (reply === undefined) throw new TypeError('A batch left a call unanswered.');
  if ('error' in reply) throw reply.error;
  if (!isObject(reply.body)) {
    const message = 'Microsoft 365 answered with something that is no object. It is tried again with the next run.';
    throw new EngineError('source-refused', message, { isRetryable: true });
  }
  return reply.body;
}
