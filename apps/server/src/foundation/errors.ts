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
  /** Stable, for programs. */
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;

  /** `message` is for the person: what happened, to what, what to do next. */
  constructor(
    status: number,
    code: string,
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

/** An entity that does not exist, or lies outside the caller's reach: the two are told apart by nobody. */
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

export function conflict(message: string): Refusal {
  return new Refusal(409, 'CONFLICT', message);
}

export function invalid(errors: readonly FieldError[], message = 'The request has invalid fields.'): Refusal {
  const first = errors[0];
  return new Refusal(
    422,
    'INVALID_INPUT',
    first === undefined ? message : `${message} ${first.path}: ${first.message}`,
    { errors },
  );
}

/** The message of anything thrown, for logs. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
