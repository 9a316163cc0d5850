import type { Pool } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { ingestInTransaction } from '../../ingest/ingest-runs.ts';
import type { NewRun } from '../../runs/new-run.ts';
import { findingsOf } from '../proofs/end-of-proof.ts';
import { type ProofEnd, type StoredProof, storeProofEnd } from '../proofs/stored-proofs.ts';
import { monitoredProof, proofIdOf, reportJobs } from './monitored-jobs.ts';

/** Shows a proof in Monitoring as running. */
export async function reportProofBegin(database: Pool, proof: StoredProof, now: Date): Promise<void> {
  await ingestInTransaction(database, proof.providerId, now, async (connection, ingest) => {
    await reportJobs(connection, proof.providerId, now, proofIdOf(proof.jobId));
    await ingest([{ ...monitoredOf(proof), endedAt: null, result: 'Running' }]);
  });
}

/** Ends a proof, with what Monitoring shows of it, all or nothing. */
export async function endProof(database: Pool, proof: StoredProof, end: ProofEnd, at: Date): Promise<void> {
  await ingestInTransaction(database, proof.providerId, at, async (connection, ingest) => {
    if (!(await storeProofEnd(connection, proof, end, at))) return;
    await publish(connection, { name: 'm365-jobs.changed', providerId: proof.providerId });
    await reportJobs(connection, proof.providerId, at, proofIdOf(proof.jobId));
    const monitored = monitoredOf(proof);
    const endedAt = at > monitored.startedAt ? at : monitored.startedAt;
    const log = findingsOf(end).map((finding) => ({ at: null, ...finding }));
    await ingest([{ ...monitored, endedAt, result: end.result, message: end.message, log }]);
  });
}

function monitoredOf({ providerId, jobId, startedAt }: StoredProof): Pick<NewRun, 'jobInstanceUid' | 'startedAt'> {
  return { jobInstanceUid: monitoredProof(providerId, jobId), startedAt: new Date(startedAt) };
}
