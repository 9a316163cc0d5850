import type { GraphReply } from './graph-call.ts';
import { isObject, type JsonObject, objectsOf, textOf, textsOf } from './json.ts';
import { badRequest } from './refusals.ts';

/** One request of a batch, answered like any other request. */
export interface BatchPart {
  id: string;
  method: string;
  /** Path and query below the version. */
  url: string;
  headers: Record<string, string>;
  body: unknown;
  dependsOn: string[];
}

/** Most requests a batch may have. */
const most = 20;

/**
 * Runs the requests of a `$batch`, those that depend on nothing beside each other. What depends on a request that failed
 * is answered 424. Answers come in the order in which they were ready, as at the vendor.
 * @throws GraphError 400 for more than 20 requests, ids that are not unique, or dependencies on later ones
 */
export async function runBatch(body: unknown, run: (part: BatchPart) => Promise<GraphReply>): Promise<GraphReply> {
  const parts = readParts(body);
  const outcomes = new Map<string, Promise<GraphReply>>();
  for (const part of parts) {
    const before = part.dependsOn.map((id) => outcomes.get(id));
    if (before.includes(undefined)) throw badRequest(`Request ${part.id} depends on one that does not come before it.`);
    outcomes.set(
      part.id,
      Promise.all(before).then((replies) =>
        replies.some((reply) => (reply?.status ?? 0) >= 400) ? failedDependency : run(part),
      ),
    );
  }
  const responses: object[] = [];
  await Promise.all(parts.map(async ({ id }) => responses.push(answer(id, await outcomes.get(id)))));
  return { status: 200, body: { responses } };
}

const failedDependency: GraphReply = {
  status: 424,
  body: { error: { code: 'FailedDependency', message: 'A request this one depends on has failed.' } },
};

function readParts(body: unknown): BatchPart[] {
  const requests = isObject(body) ? objectsOf(body['requests']) : [];
  if (requests.length === 0) throw badRequest('Write request contains no requests: a batch needs at least one.');
  if (requests.length > most) throw badRequest(`The number of batch requests is more than the maximum of ${most}.`);
  const parts = requests.map(readPart);
  if (new Set(parts.map(({ id }) => id.toLowerCase())).size < parts.length)
    throw badRequest('Request ids must be unique in a batch.');
  return parts;
}

function readPart(request: JsonObject): BatchPart {
  const [id, method, url] = [request['id'], request['method'], request['url']].map(textOf);
  if (!id || !method || !url) throw badRequest('Every request of a batch needs id, method and url.');
  const headers = Object.entries(isObject(request['headers']) ? request['headers'] : {});
  return {
    id,
    method: method.toUpperCase(),
    url: url.startsWith('/') ? url : `/${url}`,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: request['body'],
    dependsOn: textsOf(request['dependsOn']) ?? [],
  };
}

/** What is no JSON comes as base64, as at the vendor. */
function answer(id: string, reply: GraphReply | undefined): object {
  const { status, headers = {}, body } = reply ?? failedDependency;
  const isJson = body !== undefined && !Buffer.isBuffer(body);
  return {
    id,
    status,
    headers: { ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers },
    ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body.toString('base64') : body }),
  };
}
