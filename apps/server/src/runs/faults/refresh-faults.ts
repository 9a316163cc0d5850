import type { Connection } from '../../foundation/database.ts';
import type { JobSpan } from '../rows/execution-rows.ts';
import { causeOf } from './causes/cause-of.ts';
import { type FoundFault, findFaults } from './find-faults.ts';
import { mergedByJob } from './merged-spans.ts';
import { passWorkToNewRuns } from './pass-work.ts';
import { removeFaults, type StoredFault, upsertFaults } from './write-faults.ts';

/**
 * Makes the faults again of the times in which runs were added, changed or removed. What comes out depends on the
 * stored runs alone, not on the order in which they came. The caller holds the executions lock.
 *
 * A run after all others costs the same however long its fault is: it is added to what is stored.
 */
export async function refreshFaults(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<void> {
  if (spans.length === 0) return;
  const jobs = mergedByJob(spans);
  await passWorkToNewRuns(connection, providerId, jobs);
  const { windows, faults } = await findFaults(connection, providerId, jobs);
  await removeFaults(connection, providerId, windows, faults);
  await upsertFaults(connection, providerId, faults.map(withCause));
}

/** The cause is that of the last run; where that is as it was, so is its cause. */
function withCause({ storedCause, message, anomalies, job, ...fault }: FoundFault): StoredFault {
  const cause = storedCause ?? causeOf({ kind: fault.kind, message, anomalies, job });
  return { ...fault, jobInstanceUid: job.jobInstanceUid, companyId: job.companyId, cause };
}
