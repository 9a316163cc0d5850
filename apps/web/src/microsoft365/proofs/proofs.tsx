import type { Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { Microsoft365Proof, ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import { Button } from '@mantine/core';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import styles from '../microsoft365.module.css';
import { comparisonText, kindText, restoredText } from './proof-words.ts';
import { useProofs, useStartProof } from './proofs.data.ts';

interface ProofsProps {
  job: Microsoft365Job;
  onClose: () => void;
}

/** The proofs that a job can be restored, with what each found; and one more at once. */
export default function Proofs({ job, onClose }: ProofsProps) {
  const { data, error } = useProofs(job.id);
  const { mutate, isPending } = useStartProof(job.id);
  const isRunning = data?.[0]?.status === 'Running';
  return (
    <Dialog size="xl" title={`Proofs of ${job.name}`} onClose={onClose}>
      {error !== null && <p role="alert">{error.message}</p>}
      <p className={styles.note}>
        Each week a random sample of the newest restore point is restored to memory, checked, and compared with
        Microsoft 365 where it did not change since. Nothing is written.
      </p>
      <div className={styles.actions}>
        <Button
          variant="default"
          size="compact-sm"
          disabled={isPending || isRunning || job.restorePoints === 0}
          onClick={() => mutate()}
        >
          Prove now
        </Button>
      </div>
      {data?.length === 0 && <p className={styles.note}>Never proved.</p>}
      {data?.map((proof, index) => (
        <ProofDetails key={proof.id} proof={proof} isOpen={index === 0} />
      ))}
    </Dialog>
  );
}

function ProofDetails({ proof, isOpen }: { proof: Microsoft365Proof; isOpen: boolean }) {
  const { status, startTime, username, details, restorePointTime, sample } = proof;
  return (
    <details open={isOpen}>
      <summary>
        <ResultBadge result={status} /> {formatDateTime(startTime)}
        {username === null ? '' : ` by ${username}`}
      </summary>
      {details !== null && <p className={styles.error}>{details}</p>}
      {restorePointTime !== null && (
        <p>
          {restoredText(proof)}. Restore point: {formatDateTime(restorePointTime)}.
        </p>
      )}
      <ul aria-label={`Items of ${formatDateTime(startTime)}`}>
        {sample.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a proof that ended never changes, and items that are restored have no name.
          <li key={place}>{itemText(item)}</li>
        ))}
      </ul>
    </details>
  );
}

function itemText(item: ProvedItem): string {
  const { objectName, kind, name, bytes, fault } = item;
  const what = `${objectName}: ${kindText(kind)}`;
  if (fault !== null) return `${what} “${name ?? ''}” cannot be restored: ${fault}`;
  return `${what}, ${formatBytes(bytes)}, restored. ${comparisonText(item)}`;
}
