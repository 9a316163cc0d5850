/**
 * The bounds of one connection to a vendor. Nothing a vendor does, or fails to do, takes longer or grows larger than these.
 * A connector may lower or raise one where the vendor's documentation asks for it.
 */
export interface RequestLimits {
  /** From asking for a connection to having it, TLS included. */
  connectTimeoutMs: number;
  /** One attempt, from sending to the last byte of the reply. */
  requestTimeoutMs: number;
  /** One call with all its attempts and all waits between them. */
  overallTimeoutMs: number;
  /** The reply is cut when it grows past this. */
  responseSizeBytesMax: number;
  /** The first attempt counts. */
  attemptsMax: number;
  /** Wait before the second attempt; doubles with each further one, half of it by chance. */
  backoffMs: number;
  backoffMsMax: number;
  /** A vendor that says `Retry-After` longer than this is not waited for; the error says how long instead. */
  retryAfterMsMax: number;
  /** Requests under way at the same time on this connection. */
  concurrentRequestsMax: number;
}
