import { type ProofResult, prove } from '../proof/proof.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphOriginals } from '../source/graph/originals/graph-originals.ts';
import type { Stored, Work } from './work.ts';

/** Of which job a sample is restored. */
export interface ProofOrder {
  job: string;
  /** Connects to the tenant. Where it throws nothing is compared, and the result says why. */
  connect: () => Promise<GraphConnection>;
}

/** Restores a sample to memory: see `prove`. */
export function runProof(
  stored: Stored,
  { connect, ...job }: ProofOrder,
  { signal, onEvent }: Work,
): Promise<ProofResult | null> {
  onEvent({ type: 'phase', phase: 'proving' });
  const reporting = async () => (await connect()).reportingTo(onEvent);
  return prove({ ...stored, originals: openGraphOriginals(reporting, signal), signal }, job);
}
