import { EngineError, proveRestorable } from '@keepwatch/engine/engine';
import { Refusal, reasonOf } from '../../foundation/errors.ts';
import type { ConnectOrganization, Microsoft365Services } from '../microsoft365-services.ts';
import { endProof, reportProofBegin } from '../monitoring/report-proof.ts';
import { openStoredAfresh } from '../repositories/open-stored.ts';
import { endOfProof } from './end-of-proof.ts';
import { claimProof, endWithout, type ProofEnd, releaseProof, type StoredProof } from './stored-proofs.ts';

/** What a proof is done with. */
export interface ProofServices extends Pick<Microsoft365Services, 'database' | 'secrets' | 'stored' | 'log' | 'now'> {
  connect: ConnectOrganization;
}

/** One that ends its worker each time, by the memory that it needs for example, must not end all workers again and again. */
const CLAIMS_MAX = 3;
const ABANDONED =
  'Each worker that began this ended unexpectedly, so it is not begun again. Look at the memory and the logs of the workers, and start it again after that.';

/** Does a proof to its end. @throws what the queue is to repeat: the end of the program, a database that is away */
export async function runProof(
  services: ProofServices,
  { providerId, proofId }: { providerId: number; proofId: string },
  signal: AbortSignal,
): Promise<void> {
  const { database, now } = services;
  const proof = await claimProof(database, providerId, proofId);
  if (proof === null) return;
  try {
    await reportProofBegin(database, proof, now());
    const end = proof.claims > CLAIMS_MAX ? endWithout('Failed', ABANDONED) : await endOf(services, proof, signal);
    await endProof(database, proof, end, now());
  } catch (error) {
    await releaseProof(database, proof).catch(() => undefined);
    throw error;
  }
}

async function endOf(services: ProofServices, proof: StoredProof, signal: AbortSignal): Promise<ProofEnd> {
  try {
    return await doProof(services, proof, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EngineError || error instanceof Refusal))
      services.log.error({ err: error, proof: proof.id }, 'a proof failed unexpectedly');
    return endWithout('Failed', reasonOf(error));
  }
}

/** With the stored password and keys, as a restore would begin, and without what the process has read before. */
async function doProof(services: ProofServices, proof: StoredProof, signal: AbortSignal): Promise<ProofEnd> {
  const { providerId, repositoryId, organizationId, jobId } = proof;
  const stored = await openStoredAfresh(services, providerId, repositoryId);
  try {
    const connect = () => services.connect({ providerId, id: organizationId });
    return endOfProof(await proveRestorable(stored, { job: jobId, connect }, { signal, onEvent: () => undefined }));
  } finally {
    await stored.repository.close();
  }
}
