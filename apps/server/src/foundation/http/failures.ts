import { STATUS_CODES } from 'node:http';
import type { ErrorReply } from '@keepwatch/contract/wire/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';

/** After how long whoever met a busy database may try again. */
const BUSY_SECONDS = 30;

/**
 * What PostgreSQL, and the way to it, cannot do now and may be able to do later: a statement that worked or waited longer than it may
 * (57014), a disk that is full (53100), no place for another connection (53300), a start or a stop (57P01 to 57P03), nobody who listens.
 */
const PASSING_CODES = new Set(['57014', '53100', '53200', '53300', '57P01', '57P02', '57P03', 'ECONNREFUSED']);
/** What the pool says when none of its connections became free, or a new one was not made, in time. Neither has a code. */
const NO_CONNECTION = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return NO_CONNECTION.has(error.message) || ('code' in error && PASSING_CODES.has(String(error.code)));
}

/** Refusals are answered as they are; what nobody foresaw is logged with its cause and answered with `failure`. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, failure: string): void {
  const refusal = refusalOf(error, request);
  if (refusal === null) {
    request.log.error({ err: error, call: request.routeOptions.url }, 'a request failed');
    const [status, code] = isPassing(error) ? ([503, 'BUSY'] as const) : ([500, 'INTERNAL_ERROR'] as const);
    if (status === 503) reply.header('retry-after', BUSY_SECONDS);
    sendError(reply, status, { success: false, code, message: failure, requestId: request.id });
    return;
  }
  request.log.info(
    { code: refusal.code, reason: refusal.message, call: request.routeOptions.url },
    'a request was refused',
  );
  if (refusal.retryAfterSeconds !== null) reply.header('retry-after', refusal.retryAfterSeconds);
  const errors = refusal.errors.length > 0 ? { errors: [...refusal.errors] } : {};
  sendError(reply, refusal.status, {
    success: false,
    code: refusal.code,
    message: refusal.message,
    ...errors,
    requestId: request.id,
  });
}

/** What the framework itself refuses, in our words. */
function refusalOf(error: unknown, request: FastifyRequest): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return null;
  const code = 'code' in error ? String(error.code) : '';
  if (error.statusCode === 413) return new Refusal(413, 'BODY_TOO_LARGE', tooLarge(request), { cause: error });
  if (error.statusCode === 429)
    return new Refusal(429, 'TOO_MANY_REQUESTS', 'Too many requests. Wait a minute and try again.', { cause: error });
  if (error.statusCode === 400 && code.includes('JSON'))
    return new Refusal(400, 'MALFORMED_JSON', 'The body is not valid JSON.', { cause: error });
  if (error.statusCode < 500)
    return new Refusal(
      error.statusCode,
      'BAD_REQUEST',
      STATUS_CODES[error.statusCode] ?? 'The request cannot be read.',
      { cause: error },
    );
  return null;
}

function tooLarge({ routeOptions: { bodyLimit } }: FastifyRequest): string {
  const most = bodyLimit === undefined ? '' : `: at most ${sizeOf(bodyLimit)}`;
  return `The body is larger than this call takes${most}.`;
}

function sizeOf(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KB` : `${bytes / 2 ** 20} MB`;
}

/** Sends an error in the one shape that all errors have. */
export function sendError(reply: FastifyReply, status: number, body: ErrorReply): void {
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body));
}
