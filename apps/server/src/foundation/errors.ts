import type { RefusalCode } from '@keepwatch/contract/wire/refusal-codes';
import { cutText } from './cut-text.ts';

/**
 * Errors that leave the server. A refusal is expected (the caller asked for what it may not have); it is answered and
 * not reported as a fault. Everything else that is thrown is a fault: logged with its cause, answered with the call's
 * own failure text.
 */
export interface FieldError {
  path: string;
  message: string;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;

  /** `message` is for the person: what happened, to what, what to do next. */
  constructor(
    status: number,
    code: RefusalCode,
    message: string,
    options: { errors?: readonly FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Refuses an entity that does not exist or is outside the caller's scope; the reply does not show which of the two. */
export function notFound(what: string): Refusal {
  return new Refusal(404, 'NOT_FOUND', `The ${what} was not found. It may have been removed.`);
}

export function unauthenticated(message = 'Please log in to continue.'): Refusal {
  return new Refusal(401, 'NOT_SIGNED_IN', message);
}

export function forbidden(): Refusal {
  return new Refusal(
    403,
    'FORBIDDEN',
    'You do not have permission to do this. Ask an administrator of your portal for it.',
  );
}

export function newPasswordFirst(): Refusal {
  return new Refusal(403, 'PASSWORD_CHANGE_REQUIRED', 'Another person set your password. Choose a new one first.');
}

export function secondFactorFirst(): Refusal {
  return new Refusal(403, 'SECOND_FACTOR_REQUIRED', 'Your provider requires a second factor. Add one first.');
}

export function conflict(message: string): Refusal {
  return new Refusal(409, 'CONFLICT', message);
}

/** Faults that one reply names. */
export const FAULTS_MAX = 20;
/** A name of a field, and what is wrong with it, both of which may repeat what the caller sent. */
const PATH_LENGTH_MAX = 120;
const REASON_LENGTH_MAX = 300;

/** The 422 for what a caller sent. Names the first `FAULTS_MAX` faults in bounded texts, however many there are and whatever they repeat. */
export function invalid(errors: readonly FieldError[], message = 'The request has invalid fields.'): Refusal {
  const named = errors.slice(0, FAULTS_MAX).map((error) => ({
    path: cutText(error.path, PATH_LENGTH_MAX),
    message: cutText(error.message, REASON_LENGTH_MAX),
  }));
  const [first] = named;
  const text = first === undefined ? message : `${message} ${first.path}: ${first.message}`;
  return new Refusal(422, 'INVALID_INPUT', text, { errors: named });
}

/** The message of anything thrown, for logs. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
