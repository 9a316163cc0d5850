import type { BackupSourceManifest } from '@keepwatch/connectors/ports/manifest';
import type { Pool } from '../../foundation/database.ts';
import type { Log } from '../../foundation/log.ts';
import type { Metrics } from '../../foundation/metrics.ts';
import type { Queue } from '../../foundation/queue.ts';
import type { SecretBox } from '../../foundation/secrets.ts';

/** What opening a source needs of the program. */
export interface SourceServices {
  secrets: SecretBox;
  /** The manifest of a kind of source. Throws for a kind that is none. */
  loadSource(kind: string): Promise<BackupSourceManifest>;
  allowPrivateAddresses: boolean;
  log: Log;
  now(): Date;
}

/** What the work that runs outside requests needs of the program. */
export interface IntakeServices extends SourceServices {
  database: Pool;
  queue: Queue;
  metrics: Metrics;
}
