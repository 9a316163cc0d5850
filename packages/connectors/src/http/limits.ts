import type { RequestLimits } from '../base/request-limits.ts';

/** What applies where neither the connector nor the context says otherwise. */
export const HTTP_LIMITS: Readonly<RequestLimits> = {
  connectTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  overallTimeoutMs: 300_000,
  responseSizeBytesMax: 64 * 1024 * 1024,
  attemptsMax: 4,
  backoffMs: 500,
  backoffMsMax: 15_000,
  retryAfterMsMax: 60_000,
  concurrentRequestsMax: 4,
};
