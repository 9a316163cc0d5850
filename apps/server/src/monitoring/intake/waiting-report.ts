import type { TokenOwner } from './intake-tokens.ts';
import type { ReportedRun } from './reported-run.ts';

/** A report that was read and checked, and waits to be stored. */
export interface WaitingReport {
  /** Hash of the token with which it came. */
  tokenHash: Buffer;
  /** To whom the token belonged when the report arrived; whether it still exists is checked when it is stored. */
  owner: TokenOwner;
  runs: readonly ReportedRun[];
  /** Size of the report as it came, in bytes. */
  bytes: number;
  /** When it arrived. */
  at: Date;
}
