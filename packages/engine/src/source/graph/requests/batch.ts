import type { EngineError } from '../../../model/engine-error.ts';
import { graphErrorOf, isPassing } from '../graph-error.ts';
import { isObject, type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { groupsOf } from '../read-items.ts';
import { MOST_ATTEMPTS, pauseMs, retryAfterMs, Waiting } from './attempts.ts';
import { readHeld } from './held-text.ts';
import { jsonWithBytes, type PlaceOfBytes } from './json-with-bytes.ts';
import type { AdmittedReply, GraphCall, Requests, Weight } from './requests.ts';

/** Requests that one batch may hold; https://learn.microsoft.com/graph/json-batching */
export const BATCH_MAX = 20;

/** Fewer than these are not worth a request of their own. */
const LANE_MIN = 4;

/** What became of one call of a batch. `body` is parsed JSON, or bytes for what is none. */
export type BatchReply = { status: number; headers: JsonObject; body: unknown } | { error: EngineError };

interface Part {
  call: GraphCall;
  index: number;
  /** Those that failed and were not put off by the vendor. */
  attempts: number;
  waiting: Waiting;
}

/**
 * Sends calls of one workload in batches and answers each for itself, in their order. Parts that fail in a way that may pass go
 * into the next batch.
 *
 * A mailbox serves 4 requests at a time, whether they come alone or in a batch, and Graph takes batches that are either
 * wholly parallel or wholly sequential. So the parts of a mailbox are chained, a batch takes one of the four places, and the parts
 * after one that failed are sent again. Where places are free, what only reads is divided among them: a chain of twenty takes as long as twenty requests.
 *
 * @throws EngineError when a whole batch gets no answer; refusals of parts are values
 */
export async function sendBatches(
  requests: Requests,
  calls: readonly GraphCall[],
  signal: AbortSignal | undefined,
): Promise<BatchReply[]> {
  const replies: BatchReply[] = [];
  const parts = calls.map((call, index): Part => ({ call, index, attempts: 0, waiting: new Waiting(requests.clock) }));
  await Promise.all(lanesOf(requests, parts).map((lane) => sendLane(requests, lane, replies, signal)));
  return replies;
}

function lanesOf(requests: Requests, parts: readonly Part[]): Part[][] {
  const [first] = parts;
  if (first === undefined) return [];
  const { workload } = requests.weightOf(first.call);
  const isDivisible = workload.kind === 'mailbox' && parts.every(({ call }) => (call.method ?? 'GET') === 'GET');
  const free = isDivisible ? requests.freePlaces(workload) : 1;
  return groupsOf(parts, Math.max(LANE_MIN, Math.ceil(parts.length / Math.max(1, free))));
}

async function sendLane(
  requests: Requests,
  parts: readonly Part[],
  replies: BatchReply[],
  signal: AbortSignal | undefined,
): Promise<void> {
  let waiting = parts;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, BATCH_MAX);
    const again = await sendOne(requests, batch, replies, signal);
    waiting = [...again, ...waiting.slice(batch.length)];
  }
}

/** @returns the parts that are to be sent again */
async function sendOne(
  requests: Requests,
  parts: readonly Part[],
  replies: BatchReply[],
  signal: AbortSignal | undefined,
): Promise<Part[]> {
  for (const { call } of parts) requests.links.requireOfGraph(call.path);
  const weight = weightOf(requests, parts);
  const isChained = weight.workload.kind === 'mailbox';
  const body = { requests: parts.map(({ call }, index) => partOf(requests, call, index, isChained)) };
  const isRepeatable = parts.every(({ call }) => call.isRepeatable ?? call.method !== 'POST');
  const call: GraphCall = { method: 'POST', path: '/$batch', body, isRepeatable, signal };
  const again: Part[] = [];
  const pause = await requests.perform(
    call,
    async (admitted) => settle(requests, parts, replies, again, admitted, await answersOf(admitted)),
    weight,
  );
  if (pause > 0) await requests.clock.sleep(pause, signal);
  return again;
}

/** @returns milliseconds to wait before the parts in `again` are sent, where the vendor named no pause */
function settle(
  requests: Requests,
  parts: readonly Part[],
  replies: BatchReply[],
  again: Part[],
  admitted: AdmittedReply,
  answers: ReadonlyMap<string, JsonObject>,
): number {
  let pause = 0;
  again.length = 0;
  for (const [index, part] of parts.entries()) {
    const answer = answers.get(String(index)) ?? {};
    const status = numberOf(answer['status']) ?? 0;
    const headers = objectOf(answer['headers']);
    if (isSuccess(status)) {
      replies[part.index] = { status, headers, body: bodyOf(answer, headers) };
      continue;
    }
    const untilMs = pauseOf(headers, requests.clock.now());
    const attempts = part.attempts + (status === 424 || untilMs !== null ? 0 : 1);
    const error = graphErrorOf(status, answer['body'], `${part.call.method ?? 'GET'} ${nameOf(requests, part)}`);
    // What was refused for a token that ended on the way is asked for with the next one.
    const mayPass = status === 424 || status === 401 || status === 0 || isPassing(status, error.graphCode);
    const late = mayPass && untilMs !== null ? part.waiting.tooLong(untilMs, error) : null;
    if (!mayPass || attempts >= MOST_ATTEMPTS || late !== null) replies[part.index] = { error: late ?? error };
    else {
      again.push({ ...part, attempts });
      if (untilMs !== null) admitted.pauseUntil(untilMs);
      else if (status !== 424) pause = Math.max(pause, pauseMs(attempts));
    }
  }
  return pause;
}

/** @throws SyntaxError for what is no batch's reply: the connection tries again */
async function answersOf({ reply }: AdmittedReply): Promise<Map<string, JsonObject>> {
  const body = await readHeld(reply, undefined, (bytes) => jsonWithBytes(bytes, BYTES));
  if (!isObject(body) || !Array.isArray(body['responses'])) throw new SyntaxError('a reply that is no batch');
  return new Map(objectsOf(body['responses']).map((answer) => [String(answer['id']), answer]));
}

function weightOf(requests: Requests, parts: readonly Part[]): Weight {
  const weights = parts.map(({ call }) => requests.weightOf(call));
  const [first] = weights;
  if (first === undefined) throw new TypeError('A batch needs a call.');
  if (weights.some(({ workload }) => workload.key !== first.workload.key))
    throw new TypeError('The calls of a batch must be of one workload: a mailbox, or SharePoint.');
  return {
    workload: first.workload,
    requests: parts.length,
    units: weights.reduce((sum, { units }) => sum + units, 0),
  };
}

function partOf(requests: Requests, call: GraphCall, index: number, isChained: boolean): object {
  const { method = 'GET', path, headers, body } = call;
  const isBytes = body instanceof Uint8Array;
  const type = body === undefined || isBytes ? {} : { 'Content-Type': 'application/json' };
  return {
    id: String(index),
    method,
    url: requests.pathOf(path),
    ...(body === undefined && headers === undefined ? {} : { headers: { ...type, ...headers } }),
    ...(body === undefined ? {} : { body: isBytes ? Buffer.from(body).toString('base64') : body }),
    ...(isChained && index > 0 ? { dependsOn: [String(index - 1)] } : {}),
  };
}

/** Until when a part is put off; `null` where nothing is said, or an instant that has passed. */
function pauseOf(headers: JsonObject, nowMs: number): number | null {
  const untilMs = retryAfterMs(headerOf(headers, 'retry-after'), nowMs);
  return untilMs !== null && untilMs > nowMs ? untilMs : null;
}

/** A batch contains what is not JSON as base64. */
const BYTES: PlaceOfBytes = {
  list: 'responses',
  member: 'body',
  isBase64: (answer) => isSuccess(numberOf(answer['status']) ?? 0) && !isJson(objectOf(answer['headers'])),
};

const isSuccess = (status: number) => status >= 200 && status < 400;

const isJson = (headers: JsonObject) => /json/i.test(headerOf(headers, 'content-type') ?? 'json');

/** What is short, or written in an unusual way, comes as text. */
function bodyOf({ body }: JsonObject, headers: JsonObject): unknown {
  return typeof body === 'string' && !isJson(headers) ? Buffer.from(body, 'base64') : body;
}

function headerOf(headers: JsonObject, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return textOf(found?.[1]);
}

function nameOf(requests: Requests, { call }: Part): string {
  return requests.pathOf(call.path).split('?', 1)[0] ?? '';
}
