import type { ItemOutcome } from '../restore/item-outcome.ts';
import { type RestoreParts, restore } from '../restore/restore.ts';
import type { RestoreJournals } from '../restore/restore-journals.ts';
import { type PlannedItem, planRestore, type RestorePlan } from '../restore/restore-plan.ts';
import type { RestoreResult } from '../restore/restore-result.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { type RestoreOrder, restoreRequest } from './restore-request.ts';
import { refuseSecondCopies } from './second-copies.ts';
import type { Stored, Work } from './work.ts';

/**
 * Puts items back: see `restore`. Begun again with the same order and journals after it was broken off, it goes on.
 * @throws `bad-request` for what cannot be written back, `not-found` for what it is to go into, `locked` while another restore writes there
 */
export async function runRestore(
  stored: Stored,
  connection: GraphConnection,
  order: RestoreOrder & { journals: RestoreJournals },
  work: Work,
): Promise<RestoreResult> {
  work.onEvent({ type: 'phase', phase: 'restoring' });
  const request = await restoreRequest(stored, connection.reportingTo(work.onEvent), order, work.signal);
  await refuseSecondCopies(stored, order.journals, request);
  return restore(partsOf(stored, order, work), request);
}

/** Says what a restore would do, and changes nothing. */
export async function runPlan(
  stored: Stored,
  connection: GraphConnection,
  order: RestoreOrder,
  { signal, onEvent }: Work,
  onItem?: (item: PlannedItem) => void,
): Promise<RestorePlan> {
  onEvent({ type: 'phase', phase: 'planning' });
  const request = await restoreRequest(stored, connection.reportingTo(onEvent), order, signal);
  return planRestore({ ...stored, signal }, request, onItem);
}

function partsOf(
  stored: Stored,
  { scope, journals }: RestoreOrder & { journals: RestoreJournals },
  { signal, onEvent }: Work,
): RestoreParts {
  const what = `Restoring ${scope.object.name}`;
  return {
    ...stored,
    signal,
    journals,
    onItem(item) {
      const news = outcomeOf(item);
      const { id, kind, name, path, reason = '', losses } = item;
      if (news !== null) onEvent({ type: 'item', id, kind, name, path, outcome: news, reason, losses });
    },
    onNotBackedUp: (item) => onEvent({ type: 'item', ...item, outcome: 'failed', losses: [] }),
    onProgress: ({ items, bytes, totalItems }) =>
      onEvent({ type: 'progress', what, done: items, total: totalItems, unit: 'items', bytes }),
  };
}

/** What is as it was to be is no news: a restore has millions of items. */
function outcomeOf({ outcome, losses }: ItemOutcome) {
  if (outcome === 'failed' || outcome === 'skipped') return outcome;
  return losses.length > 0 ? 'incomplete' : null;
}
