import type { ProofSummary } from '@keepwatch/contract/microsoft365/proof-summary';
import type { Comparison, ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import { formatRelative } from '../../kit/format/dates.ts';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';
import { capital } from '../../kit/format/words.ts';

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
  same: 'Restored, the same at Microsoft',
  changed: 'Restored, changed at Microsoft since',
  gone: 'Restored, gone at Microsoft since',
  'not-compared': 'Restored',
  differs: 'Restored, but differs from Microsoft',
};

/** `Restored, the same at Microsoft`; `Cannot be restored: The pack is gone.` */
export function resultText({ fault, comparison, reason }: ProvedItem): string {
  if (fault !== null) return `Cannot be restored: ${fault}`;
  return comparison === 'differs' && reason !== null
    ? `${COMPARISON_WORDS.differs}: ${reason}`
    : COMPARISON_WORDS[comparison];
}

/** Why items were not compared, each reason once. */
export function notComparedReasons(items: readonly ProvedItem[]): readonly string[] {
  const reasons = items.flatMap(({ comparison, fault, reason }) =>
    comparison === 'not-compared' && fault === null && reason !== null ? [reason] : [],
  );
  return [...new Set(reasons)];
}

/** `mail-folder` as `Mail folder`, with the name of an item that has a fault. */
export function itemText({ kind, name }: ProvedItem): string {
  const what = capital(kind.replaceAll('-', ' '));
  return name === null ? what : `${what} “${name}”`;
}
