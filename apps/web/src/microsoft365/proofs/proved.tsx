import type { Organization } from '@keepwatch/contract/microsoft365/organizations';
import { useNow } from '../../kit/use-now.ts';
import styles from '../microsoft365.module.css';
import { proofOfJobsText } from './proof-words.ts';

/** When the jobs of an organization were last proved restorable, in one line. */
export function ProvedOrganization({ organization }: { organization: Pick<Organization, 'lastProof' | 'jobCount'> }) {
  const { lastProof, jobCount } = organization;
  const text = useNow((now) => proofOfJobsText(lastProof, jobCount, now));
  return (
    <span className={lastProof?.status === 'Failed' ? styles.error : undefined} title={text}>
      {text}
    </span>
  );
}
