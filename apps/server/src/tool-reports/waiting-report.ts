import type { TokenOwner } from './intake-tokens.ts';
import type { ReportedRun } from './reported-run.ts';

/** A checked report that waits to be stored. */
export interface WaitingReport {
  /** Hash of its token. */
  tokenHash: Buffer;
  /** The owner of the token on arrival. Whether the token still exists is checked when the report is stored. */
  owner: TokenOwner;
  runs: readonly ReportedRun[];
  /** Size of the received report in bytes. */
  bytes: number;
  /** When it arrived. */
  at: Date;
}
