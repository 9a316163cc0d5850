import type { ProofSummary } from '@keepwatch/contract/microsoft365/proof-summary';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';

interface ProofFactsProps {
  proof: ProofSummary | null;
  /** Of an organization: how many of its jobs were proved. */
  jobs?: string;
}

/** When a job, or the jobs of an organization, were last proved restorable, and how much was restored. */
export function ProofFacts({ proof, jobs }: ProofFactsProps) {
  if (proof === null)
    return (
      <Facts title="Last proof">
        <Fact term="Result">Never proved</Fact>
      </Facts>
    );
  return (
    <Facts title="Last proof">
      <Fact term="Result">
        {proof.status === 'Warning' ? 'Nothing to restore' : <ResultBadge result={proof.status} />}
      </Fact>
      <Fact term="When">{formatDateTime(proof.endTime)}</Fact>
      {jobs !== undefined && <Fact term="Jobs proved">{jobs}</Fact>}
      <Fact term="Items restored">{formatCount(proof.items)}</Fact>
      <Fact term="Size">{formatBytes(proof.bytes)}</Fact>
    </Facts>
  );
}
