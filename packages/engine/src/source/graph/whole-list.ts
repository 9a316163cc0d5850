import { EngineError } from '../../model/engine-error.ts';
import type { GraphConnection } from './connection.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import type { Reply } from './reading-failures.ts';

/**
 * The entities of a list whose first page came in a batch, over all pages or as many as are requested.
 * @throws EngineError for a refusal
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
