import { sql } from 'drizzle-orm';
import { type Pool, rows, transaction } from '../../foundation/database.ts';
import type { Queue } from '../../foundation/queue.ts';
import { isOfWorkers } from '../engine/work-of-workers.ts';
import type { JobKey } from '../jobs/jobs.ts';
import { endProof } from '../monitoring/report-proof.ts';
import { HAS_POINT } from '../repositories/counted-points.ts';
import { runProofJob } from './run-proof.job.ts';
import { endWithout, insertProof, listUnendedProofs } from './stored-proofs.ts';

/** Proofs of one transaction; those after them come a minute later. */
const AT_ONCE = 100;

/** Makes a proof of each enabled job that has a restore point where it writes and was not proved there for a week, and hands it to the queue. */
export function planProofs(database: Pool, queue: Queue, now: Date): Promise<number> {
  return transaction(database, async (connection) => {
    const due = await rows<JobKey>(
      connection,
      sql`select j.provider_id as "providerId", j.id from m365_jobs j
          where j.is_enabled and ${isOfWorkers('j')}
            and ${HAS_POINT}
            and not exists (select from m365_proofs p where p.provider_id = j.provider_id and p.job_id = j.id
              and (p.ended_at is null or (p.repository_id = j.repository_id and p.started_at > ${now}::timestamptz - interval '7 days')))
          order by j.provider_id, j.id limit ${AT_ONCE} for update of j skip locked`,
    );
    let planned = 0;
    for (const job of due) {
      const proofId = await insertProof(connection, job, null, now);
      if (proofId === null) continue;
      await queue.send(connection, runProofJob, { providerId: job.providerId, proofId });
      planned += 1;
    }
    return planned;
  });
}

/** A job waits in the queue for a week at most. A proof that no worker began by then would else stay the last one of its job. */
const LOST_AFTER_MS = 8 * 24 * 3_600_000;
const LOST = 'It did not end within 8 days. Look whether workers run, and start it again.';

/** Ends proofs that no worker does any more. */
export async function endLostProofs(database: Pool, now: Date): Promise<void> {
  for (const proof of await listUnendedProofs(database, new Date(now.getTime() - LOST_AFTER_MS)))
    await endProof(database, proof, endWithout('Failed', LOST), now);
}
