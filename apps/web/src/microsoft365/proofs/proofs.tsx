import type { Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { Microsoft365Proof, ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import { Button } from '@mantine/core';
import { Fragment, useState } from 'react';
import { ResultBadge } from '../../entities/result-badge.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import styles from '../microsoft365.module.css';
import { itemText, notComparedReasons, resultText } from './proof-words.ts';
import { useProofs, useStartProof } from './proofs.data.ts';
import proofStyles from './proofs.module.css';

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
      {data !== undefined && data.length > 0 && <ProofTable proofs={data} />}
    </Dialog>
  );
}

/** A row for each proof, and beneath the one that is open what it restored. */
function ProofTable({ proofs }: { proofs: readonly Microsoft365Proof[] }) {
  const [open, setOpen] = useState(proofs[0]?.id ?? null);
  return (
    <table className={proofStyles.table}>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Result</th>
          <th scope="col" className={proofStyles.number}>
            Items
          </th>
          <th scope="col" className={proofStyles.number}>
            Size
          </th>
          <th scope="col" data-wide>
            Started by
          </th>
        </tr>
      </thead>
      <tbody>
        {proofs.map((proof) => (
          <Fragment key={proof.id}>
            <tr>
              <td>
                <button
                  type="button"
                  aria-expanded={proof.id === open}
                  onClick={() => setOpen(proof.id === open ? null : proof.id)}
                >
                  {formatDateTime(proof.startTime)}
                </button>
              </td>
              <td>
                <ResultBadge result={proof.status} />
              </td>
              <td className={proofStyles.number}>{formatCount(proof.items)}</td>
              <td className={proofStyles.number}>{formatBytes(proof.bytes)}</td>
              <td data-wide>{proof.username ?? 'Schedule'}</td>
            </tr>
            {proof.id === open && (
              <tr>
                <td colSpan={5} className={proofStyles.open}>
                  <ProofDetails proof={proof} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function ProofDetails({ proof: { startTime, details, restorePointTime, sample } }: { proof: Microsoft365Proof }) {
  return (
    <>
      {details !== null && <p className={styles.error}>{details}</p>}
      {restorePointTime !== null && (
        <p className={styles.note}>Restored to memory from the restore point of {formatDateTime(restorePointTime)}.</p>
      )}
      {sample.length > 0 && <ItemTable title={`Items of ${formatDateTime(startTime)}`} items={sample} />}
      {notComparedReasons(sample).map((reason) => (
        <p key={reason} className={styles.note}>
          Not compared: {reason}
        </p>
      ))}
    </>
  );
}

function ItemTable({ title, items }: { title: string; items: readonly ProvedItem[] }) {
  return (
    <table className={proofStyles.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Of</th>
          <th scope="col" className={proofStyles.number}>
            Size
          </th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a proof that ended never changes, and items that are restored have no name.
          <tr key={place}>
            <td>{itemText(item)}</td>
            <td>{item.objectName}</td>
            <td className={proofStyles.number}>{formatBytes(item.bytes)}</td>
            <td className={item.fault !== null || item.comparison === 'differs' ? styles.error : undefined}>
              {resultText(item)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
