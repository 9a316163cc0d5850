import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import type { Tone } from '../../kit/badges/badge.tsx';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { shownName } from '../explorer/entry.ts';
import type { OperationItem } from './operations.data.ts';

export const STATE_TONES: Readonly<Record<RestoreOperation['state'], Tone>> = {
  Queued: 'neutral',
  Running: 'running',
  Success: 'success',
  Warning: 'warning',
  Failed: 'failed',
  Cancelled: 'neutral',
};

/** What became of an item, or would become of it. */
export const OUTCOME_WORDS: Readonly<Record<OperationItem['outcome'], string>> = {
  create: 'Add',
  'keep-both': 'Add beside',
  replace: 'Replace',
  skipped: 'Skipped',
  failed: 'Failed',
  incomplete: 'Incomplete',
  changed: 'Changed meanwhile',
};

/** Many messages have no subject; other things without a name are rare. */
export function itemName({ kind, name }: Pick<OperationItem, 'kind' | 'name'>): string {
  return name || (WITH_SUBJECT.has(kind) ? shownName(kind, name) : '(no name)');
}

const WITH_SUBJECT = new Set(['message', 'event', 'task', 'post', 'reply', 'chat-message']);

export interface Figure {
  count: number;
  text: string;
}

/** What restores have done, or would do, added up. */
export function figuresOf(operations: readonly RestoreOperation[]): Figure[] {
  const sum = (of: (operation: RestoreOperation) => number) =>
    operations.reduce((total, operation) => total + of(operation), 0);
  const isPlan = operations.every((operation) => operation.isPlan);
  const figures: Figure[] = [
    { count: sum(({ restored }) => restored), text: isPlan ? 'will be added' : 'restored' },
    { count: sum(({ replaced }) => replaced), text: isPlan ? 'will be replaced' : 'replaced' },
    {
      count: sum(({ copied }) => copied),
      text: isPlan ? 'will be added beside what is there' : 'added beside what was there',
    },
    { count: sum(({ skipped }) => skipped), text: isPlan ? 'will be skipped' : 'skipped' },
    { count: sum(({ failed }) => failed), text: isPlan ? 'cannot be restored' : 'failed' },
  ];
  return figures.filter(({ count }) => count > 0);
}

/** Why items are skipped, and what of others Microsoft did not accept: `212 skipped: are there unchanged`. */
export function reasonsOf(operations: readonly RestoreOperation[]): string[] {
  const skipped = operations.flatMap(({ skippedBecause }) => Object.entries(skippedBecause));
  const lost = operations.flatMap(({ losses }) => Object.entries(losses));
  return [...counted(skipped, 'skipped'), ...counted(lost, 'restored without')];
}

function counted(entries: readonly (readonly [string, number])[], word: string): string[] {
  const sums = new Map<string, number>();
  for (const [reason, count] of entries) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums].map(([reason, count]) => `${formatCount(count)} ${word}: ${reason}`);
}

/** `214 of 1,200 items`; without a total where that is not known. */
export function progressText({ done, total, state, isCancelling }: RestoreOperation): string {
  if (state === 'Queued') return 'Waiting for a worker';
  const items =
    total === null
      ? formatCounted(done, 'item', 'items')
      : `${formatCount(done)} of ${formatCounted(total, 'item', 'items')}`;
  return isCancelling && state === 'Running' ? `Cancelling · ${items}` : items;
}
