import type { ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import type { proveRestorable } from '@keepwatch/engine/engine';
import { endWithout, type ProofEnd } from './stored-proofs.ts';

type ProofResult = NonNullable<Awaited<ReturnType<typeof proveRestorable>>>;

/** Returns how a proof ends: Failed where an item cannot be restored as it was, Warning where there was none to restore. */
export function endOfProof(result: ProofResult | null): ProofEnd {
  if (result === null) return endWithout('Failed', NO_RESTORE_POINT);
  if (result.items.length === 0) return endWithout('Warning', NO_ITEMS);
  const sample = result.items.map(storedItemOf);
  const whole = sample.filter(({ fault }) => fault === null);
  const failed = sample.length - whole.length;
  return {
    result: failed === 0 ? 'Success' : 'Failed',
    message: failed === 0 ? null : failedText(failed, sample.length),
    restorePointAt: result.restorePoint.finishedAt,
    items: whole.length,
    bytes: whole.reduce((sum, { bytes }) => sum + bytes, 0),
    sample,
  };
}

/** Only what has a fault is named: who sees jobs has not proved to Microsoft that they may see what is in the backups. */
function storedItemOf({ object, item, bytes, fault, comparison }: ProofResult['items'][number]): ProvedItem {
  const { outcome, reason } = comparison;
  const name = fault === null ? null : item.name;
  return {
    objectName: object.name,
    objectKind: object.kind,
    kind: item.kind,
    name,
    bytes,
    fault,
    comparison: outcome,
    reason,
  };
}

const NO_RESTORE_POINT =
  'The repository has no restore point of this job any more. Run the job, and look at the prunes of its repository.';
const NO_ITEMS = 'The newest restore point has no items, so that nothing was proved.';
const failedText = (failed: number, all: number) =>
  `${failed} of ${all} items cannot be restored as they were. Verify the repository to find all that is damaged; the next run of the job reads it again where Microsoft 365 still has it.`;

/** Returns what was found, line by line: for the log in Monitoring. */
export function findingsOf({ message, items, bytes, sample }: ProofEnd): { level: 'info' | 'error'; text: string }[] {
  const faults = sample.flatMap(({ fault, objectName, name }) =>
    fault === null ? [] : [{ level: 'error' as const, text: `${objectName}: '${name ?? ''}': ${fault}` }],
  );
  const compared = sample.filter(({ comparison }) => comparison === 'same').length;
  const texts = `${items} items (${bytes.toLocaleString('en')} bytes) restored to memory, ${compared} of them compared with Microsoft 365.`;
  if (sample.length === 0) return [{ level: 'error', text: message ?? texts }];
  return [...faults, { level: 'info', text: texts }];
}
