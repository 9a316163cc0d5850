import type { ProofSummary } from '@keepwatch/contract/microsoft365/proof-summary';
import type { Comparison, Microsoft365Proof, ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import { formatRelative } from '../../kit/format/dates.ts';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';

/** `20 items, 41 MB`. */
const amountText = (items: number, bytes: number) => `${formatCounted(items, 'item', 'items')}, ${formatBytes(bytes)}`;

/** `Proved restorable 3 days ago: 20 items, 41 MB`; `Never proved`. */
export function proofText(proof: ProofSummary | null, now: Date): string {
  if (proof === null) return 'Never proved';
  const { status, endTime, items, bytes } = proof;
  const when = formatRelative(endTime, now);
  if (status === 'Warning') return `Nothing to restore ${when}`;
  if (status === 'Failed') return `Proof failed ${when}: ${amountText(items, bytes)} restored`;
  return `Proved restorable ${when}: ${amountText(items, bytes)}`;
}

/** The same of an organization, where not all of its jobs were proved. */
export function proofOfJobsText(proof: (ProofSummary & { jobs: number }) | null, jobCount: number, now: Date): string {
  const text = proofText(proof, now);
  return proof === null || proof.jobs >= jobCount ? text : `${text} (${proof.jobs} of ${jobCount} jobs)`;
}

const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  same: 'Compared with Microsoft: the same',
  changed: 'Changed at Microsoft since',
  gone: 'Gone at Microsoft since',
  'not-compared': 'Not compared',
  differs: 'Differs from Microsoft',
};

/** `Not compared: Only files and messages of mailboxes are compared.` */
export function comparisonText({ comparison, reason }: ProvedItem): string {
  return `${COMPARISON_WORDS[comparison]}${reason === null ? '' : `: ${reason}`}`;
}

/** `mail-folder` as `mail folder`. */
export const kindText = (kind: string) => kind.replaceAll('-', ' ');

/** `Restored to memory: 20 items, 41 MB. file 6 (39 MB), message 4 (2 MB)`. */
export function restoredText({ items, bytes, kinds }: Microsoft365Proof): string {
  const each = kinds.map((one) => `${kindText(one.kind)} ${one.items} (${formatBytes(one.bytes)})`).join(', ');
  return `Restored to memory: ${amountText(items, bytes)}${each === '' ? '' : `. ${each}`}`;
}
