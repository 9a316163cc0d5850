import type { BackupSourceManifest } from '@keepwatch/connectors/ports/manifest';
import type { Pool } from '../foundation/database.ts';
import type { Log } from '../foundation/log.ts';
import type { Metrics } from '../foundation/metrics.ts';
import type { Queue } from '../foundation/queue.ts';
import type { SecretBox } from '../foundation/secrets.ts';

/** Services needed to open a source. */
export interface SourceServices {
  secrets: SecretBox;
  /** Returns the manifest of a kind of source. Throws for an unknown kind. */
  loadSource(kind: string): Promise<BackupSourceManifest>;
  allowPrivateAddresses: boolean;
  log: Log;
  now(): Date;
}

/** Services needed by background jobs. */
export interface IntakeServices extends SourceServices {
  database: Pool;
  queue: Queue;
  metrics: Metrics;
}
