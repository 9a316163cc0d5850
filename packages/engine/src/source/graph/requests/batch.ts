import type { EngineError } from '../../../model/engine-error.ts';
import { graphErrorOf, isPassing, saysNotFound } from '../graph-error.ts';
import { groupsOf } from '../read-items.ts';
import { MOST_ATTEMPTS, pauseMs, Waiting } from './attempts.ts';
import { type Answer, answersOf, isSuccess, pauseOf } from './batch-answers.ts';
import { PlaceRetained } from './budget.ts';
import { ReplyTooLarge } from './held-text.ts';
import type { AdmittedReply, GraphCall, Requests, Weight } from './requests.ts';

/** Requests that one batch may hold; https://learn.microsoft.com/graph/json-batching */
export const BATCH_MAX = 20;

/** Fewer than these are not worth a request of their own. */
const LANE_MIN = 4;

/** A reply to calls that may find something of any size is no larger: what is larger is asked for call by call. */
const UNKNOWN_BYTES_MAX = 8 * 2 ** 20;

/** What became of one call of a batch. */
export type BatchReply = Answer | { error: EngineError };

export interface BatchOptions {
  /**
   * The calls read what is not there for most of them, and of a size that nothing says: that it is not there is an answer of status 404, and no error.
   */
  mayBeMissing?: boolean;
}

interface Part {
  call: GraphCall;
  index: number;
  /** Those that failed and were not put off by the vendor. */
  attempts: number;
  waiting: Waiting;
}

/** What is sent, and what came of it. */
interface Sending {
  requests: Requests;
  mayBeMissing: boolean;
  signal: AbortSignal | undefined;
  replies: BatchReply[];
}

/**
 * Sends calls of one workload in batches and answers each for itself, in their order. Parts that fail in a way that may pass go
 * into the next batch.
 *
 * A mailbox serves 4 requests at a time, whether they come alone or in a batch, and Graph takes batches that are either
 * wholly parallel or wholly sequential. So the parts of a mailbox are chained, a batch takes one of the four places, and the parts
 * after one that failed are sent again. Where places are free, what only reads is divided among them: a chain of twenty takes as long as twenty requests.
 *
 * A chain ends at the first part that finds nothing. So what may be missing is sent wholly parallel: Graph then runs four parts at a time, and the
 * batch takes all four places. https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits-for-json-batching
 *
 * @throws EngineError when a whole batch gets no answer; refusals of parts are values
 */
export async function sendBatches(
  requests: Requests,
  calls: readonly GraphCall[],
  signal: AbortSignal | undefined,
  { mayBeMissing = false }: BatchOptions = {},
): Promise<BatchReply[]> {
  const sending: Sending = { requests, mayBeMissing, signal, replies: [] };
  const parts = calls.map((call, index): Part => ({ call, index, attempts: 0, waiting: new Waiting(requests.clock) }));
  await Promise.all(lanesOf(sending, parts).map((lane) => sendLane(sending, lane)));
  return sending.replies;
}

function lanesOf({ requests, mayBeMissing }: Sending, parts: readonly Part[]): Part[][] {
  const [first] = parts;
  if (first === undefined) return [];
  const { workload } = requests.weightOf(first.call);
  const isDivisible =
    !mayBeMissing && workload.kind === 'mailbox' && parts.every(({ call }) => (call.method ?? 'GET') === 'GET');
  const free = isDivisible ? requests.freePlaces(workload) : 1;
  return groupsOf(parts, Math.max(LANE_MIN, Math.ceil(parts.length / Math.max(1, free))));
}

async function sendLane(sending: Sending, parts: readonly Part[]): Promise<void> {
  let waiting = parts;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, BATCH_MAX);
    const again = await sendOne(sending, batch);
    waiting = [...again, ...waiting.slice(batch.length)];
  }
}

/** @returns the parts that are to be sent again */
async function sendOne(sending: Sending, parts: readonly Part[]): Promise<Part[]> {
  try {
    return await sendTogether(sending, parts);
  } catch (error) {
    const isToBeDivided = error instanceof PlaceRetained || error instanceof ReplyTooLarge;
    if (!sending.mayBeMissing || !isToBeDivided) throw error;
    if (parts.length > 1) return (await Promise.all(parts.map((part) => sendOne(sending, [part])))).flat();
    if (!(error instanceof ReplyTooLarge)) throw error;
    for (const { index } of parts) sending.replies[index] = { error };
    return [];
  }
}

/** @returns the parts that are to be sent again */
async function sendTogether(sending: Sending, parts: readonly Part[]): Promise<Part[]> {
  const { requests, mayBeMissing, signal } = sending;
  for (const { call } of parts) requests.links.requireOfGraph(call.path);
  const weight = weightOf(sending, parts);
  const isChained = weight.workload.kind === 'mailbox' && !mayBeMissing;
  const body = { requests: parts.map(({ call }, index) => partOf(requests, call, index, isChained)) };
  const isRepeatable = parts.every(({ call }) => call.isRepeatable ?? call.method !== 'POST');
  const call: GraphCall = { method: 'POST', path: '/$batch', body, isRepeatable, signal };
  const bytesMax = mayBeMissing && parts.length > 1 ? UNKNOWN_BYTES_MAX : undefined;
  const again: Part[] = [];
  const pause = await requests.perform(
    call,
    async (admitted) => settle(sending, parts, again, admitted, await answersOf(admitted, bytesMax)),
    weight,
  );
  if (pause > 0) await requests.clock.sleep(pause, signal);
  return again;
}

/** @returns milliseconds to wait before the parts in `again` are sent, where the vendor named no pause */
function settle(
  { requests, mayBeMissing, replies }: Sending,
  parts: readonly Part[],
  again: Part[],
  admitted: AdmittedReply,
  answerTo: (id: string) => Answer,
): number {
  let pause = 0;
  again.length = 0;
  for (const [index, part] of parts.entries()) {
    const answer = answerTo(String(index));
    const { status, body } = answer;
    if (isSuccess(status) || (mayBeMissing && saysNotFound(status, body))) {
      replies[part.index] = answer;
      continue;
    }
    const untilMs = pauseOf(answer, requests.clock.now());
    const attempts = part.attempts + (status === 424 || untilMs !== null ? 0 : 1);
    const error = graphErrorOf(status, body, `${part.call.method ?? 'GET'} ${nameOf(requests, part)}`);
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

function weightOf({ requests, mayBeMissing }: Sending, parts: readonly Part[]): Weight {
  const weights = parts.map(({ call }) => requests.weightOf(call));
  const [first] = weights;
  if (first === undefined) throw new TypeError('A batch needs a call.');
  if (weights.some(({ workload }) => workload.key !== first.workload.key))
    throw new TypeError('The calls of a batch must be of one workload: a mailbox, or SharePoint.');
  return {
    workload: first.workload,
    requests: parts.length,
    units: weights.reduce((sum, { units }) => sum + units, 0),
    places: mayBeMissing && first.workload.kind === 'mailbox' ? parts.length : 1,
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

function nameOf(requests: Requests, { call }: Part): string {
  return requests.pathOf(call.path).split('?', 1)[0] ?? '';
}
