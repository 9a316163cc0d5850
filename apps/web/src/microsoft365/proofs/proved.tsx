import type { Organization } from '@keepwatch/contract/microsoft365/organizations';
import type { ProofSummary } from '@keepwatch/contract/microsoft365/proof-summary';
import { useNow } from '../../kit/use-now.ts';
import styles from '../microsoft365.module.css';
import { proofOfJobsText, proofText } from './proof-words.ts';

/** When a job was last proved restorable. */
export function Proved({ proof }: { proof: ProofSummary | null }) {
  const text = useNow((now) => proofText(proof, now));
  return <span className={proof?.status === 'Failed' ? styles.error : undefined}>{text}</span>;
}

/** When the jobs of an organization were. */
export function ProvedOrganization({ organization }: { organization: Pick<Organization, 'lastProof' | 'jobCount'> }) {
  const { lastProof, jobCount } = organization;
  const text = useNow((now) => proofOfJobsText(lastProof, jobCount, now));
  return (
    <span className={lastProof?.status === 'Failed' ? styles.error : undefined} title={text}>
      {text}
    </span>
  );
}
