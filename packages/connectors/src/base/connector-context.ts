import type { LookupAddress } from 'node:dns';
import type { RequestLimits } from './request-limits.ts';

/** What the outside gives every connector. */
export interface ConnectorContext {
  now(): Date;
  /** Whether addresses of private networks and of this machine may be called (see ALLOW_PRIVATE_ADDRESSES). */
  allowPrivateAddresses: boolean;
  log(level: 'debug' | 'warn', message: string, details: Record<string, unknown>): void;
  /** Bounds that differ from the usual ones, for slow vendors and for tests. */
  limits?: Partial<RequestLimits>;
  /** Waits between attempts; ends at once with the signal's reason when it is aborted. Left out: real time. */
  wait?: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Looks names up. Left out: the system's resolver. */
  resolveName?: (name: string) => Promise<readonly LookupAddress[]>;
}
