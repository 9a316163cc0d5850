import { isObject, type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { retryAfterMs } from './attempts.ts';
import { readHeld } from './held-text.ts';
import { jsonWithBytes, type PlaceOfBytes } from './json-with-bytes.ts';
import type { AdmittedReply } from './requests.ts';

/** What a batch answered to one of its parts. */
export interface Answer {
  status: number;
  headers: JsonObject;
  /** Parsed JSON, or bytes for what is none. */
  body: unknown;
}

/** A part that the reply leaves out: it is not known what became of it. */
const UNANSWERED: Answer = { status: 0, headers: {}, body: undefined };

/**
 * The answers of a batch, by the ids of its parts, in whatever order they came.
 * @throws SyntaxError for what is no batch's reply: the connection tries again; ReplyTooLarge for one that is larger than it may be
 */
export async function answersOf(
  { reply }: AdmittedReply,
  bytesMax: number | undefined,
): Promise<(id: string) => Answer> {
  const body = await readHeld(reply, bytesMax, (bytes) => jsonWithBytes(bytes, BYTES));
  if (!isObject(body) || !Array.isArray(body['responses'])) throw new SyntaxError('a reply that is no batch');
  const answers = new Map(objectsOf(body['responses']).map((answer) => [String(answer['id']), answerOf(answer)]));
  return (id) => answers.get(id) ?? UNANSWERED;
}

export const isSuccess = (status: number) => status >= 200 && status < 400;

/** Until when a part is put off; `null` where nothing is said, or an instant that has passed. */
export function pauseOf({ headers }: Answer, nowMs: number): number | null {
  const untilMs = retryAfterMs(headerOf(headers, 'retry-after'), nowMs);
  return untilMs !== null && untilMs > nowMs ? untilMs : null;
}

/** A batch contains what is not JSON as base64. */
const BYTES: PlaceOfBytes = {
  list: 'responses',
  member: 'body',
  isBase64: (answer) => isSuccess(numberOf(answer['status']) ?? 0) && !isJson(objectOf(answer['headers'])),
};

function answerOf(answer: JsonObject): Answer {
  const status = numberOf(answer['status']) ?? 0;
  const headers = objectOf(answer['headers']);
  return { status, headers, body: isSuccess(status) ? bodyOf(answer, headers) : answer['body'] };
}

/** What is short, or written in an unusual way, comes as text. */
function bodyOf({ body }: JsonObject, headers: JsonObject): unknown {
  return typeof body === 'string' && !isJson(headers) ? Buffer.from(body, 'base64') : body;
}

const isJson = (headers: JsonObject) => /json/i.test(headerOf(headers, 'content-type') ?? 'json');

function headerOf(headers: JsonObject, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return textOf(found?.[1]);
}
