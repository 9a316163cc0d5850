import type { JobSession } from '@keepwatch/connectors/ports/microsoft365-engine';

/** What a worker reports of a run while it goes on: counts, rate and estimate; instants as ISO text. */
export type SessionProgress = Pick<
  JobSession,
  | 'objectsDone'
  | 'objectsTotal'
  | 'itemsRead'
  | 'itemsLost'
  | 'itemsSkipped'
  | 'itemsRemoved'
  | 'bytesRead'
  | 'bytesStored'
  | 'bytesPerSecond'
> & { expectedEndAt: string | null };
