import type { ConnectionServices } from '../connections/connection-services.ts';
import type { Pool } from '../foundation/database.ts';
import type { Metrics } from '../foundation/metrics.ts';
import type { Queue } from '../foundation/queue.ts';

/** Services needed by background jobs. */
export interface IntakeServices extends ConnectionServices {
  database: Pool;
  queue: Queue;
  metrics: Metrics;
}
