/**
 * What went wrong between us and a vendor, answered by the connector that knows (never guessed from text by the caller).
 *
 * - `wrong-credentials`: the vendor refused who we are; a person has to change the settings. Never retried.
 * - `not-allowed`: signed in, but this account may not read that. Never retried.
 * - `not-reachable`: no connection, TLS refused, thumbprint differs, time limit. Retried.
 * - `wrong-version`: something answers there, but not a version of the vendor's product that we read. Never retried.
 * - `throttled`: the vendor asks to wait longer than a call is worth; `retryAfterMs` says how long. Retried later.
 * - `bad-reply`: the vendor answered something that its own description does not allow, or pages without end. Retried later.
 */
export type ConnectorErrorKind =
  | 'wrong-credentials'
  | 'not-allowed'
  | 'not-reachable'
  | 'wrong-version'
  | 'throttled'
  | 'bad-reply';

const RETRYABLE: ReadonlySet<ConnectorErrorKind> = new Set(['not-reachable', 'throttled', 'bad-reply']);

/** An error of a vendor or of the way to it. `message` is for a person: what happened, to what, what to do next. */
export class ConnectorError extends Error {
  readonly kind: ConnectorErrorKind;
  readonly retryAfterMs: number | null;

  constructor(kind: ConnectorErrorKind, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'ConnectorError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  get isRetryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}
