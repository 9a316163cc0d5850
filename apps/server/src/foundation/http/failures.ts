import { STATUS_CODES } from 'node:http';
import type { ErrorReply } from '@keepwatch/contract/wire/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import { retryAfterSeconds } from './busy-database.ts';
import { RangeRefusal } from './replies/file-reply.ts';

/** Answers a refusal as it is. Logs an unexpected error with its cause and answers it with `failure`. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, failure: string): void {
  const refusal = refusalOf(error, request);
  if (refusal === null) {
    request.log.error({ err: error, call: request.routeOptions.url }, 'a request failed');
    const retryAfter = retryAfterSeconds(error);
    const [status, code] = retryAfter === null ? ([500, 'INTERNAL_ERROR'] as const) : ([503, 'BUSY'] as const);
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    sendError(reply, status, { success: false, code, message: failure, requestId: request.id });
    return;
  }
  request.log.info(
    { code: refusal.code, reason: refusal.message, call: request.routeOptions.url },
    'a request was refused',
  );
  if (refusal.retryAfterSeconds !== null) reply.header('retry-after', refusal.retryAfterSeconds);
  if (refusal instanceof RangeRefusal) reply.header('content-range', refusal.contentRange);
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
  return `The body is larger than this call accepts${most}.`;
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
