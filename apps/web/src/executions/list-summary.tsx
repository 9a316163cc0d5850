import { useCompanyNames } from '../entities/company-filter.data.ts';
import { NarrowedSummary } from '../kit/data-table/narrowed-summary.tsx';
import { formatCount } from '../kit/format/numbers.ts';
import { countText } from './count-text.ts';
import { useRunCount } from './daily-checks.data.ts';
import type { Filters } from './filters.ts';
import { useJobNames } from './job-filter.data.ts';
import { narrowedTo, UNNARROWED, unnarrowed } from './narrowed.ts';
import { useRunQueryOf } from './use-run-query.ts';
import { viewText } from './view-text.ts';

interface ListSummaryProps {
  /** Runs in the list; none while they are being counted. */
  count: number | null;
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
}

/** How many runs the list has, of how many, and why it does not have all: `2 of 220 pending, filtered by Acme`. */
export function ListSummary({ count, filters, onChange }: ListSummaryProps) {
  const names = { company: useCompanyNames(filters.company), job: useJobNames(filters.job).nameOf };
  const narrowing = narrowedTo(filters, names);
  const isNarrowed = narrowing.length > 0;
  const runQueryOf = useRunQueryOf();
  const { data } = useRunCount(runQueryOf(unnarrowed(filters)), isNarrowed && count !== null);
  const all = data?.count;
  const text = count === null ? '' : isNarrowed ? ofText(count, all, filters) : countText(count);
  return (
    <NarrowedSummary
      text={text}
      view={viewOf(filters)}
      by={narrowing.join(', ')}
      onClear={() => onChange(UNNARROWED)}
    />
  );
}

const STATE_WORDS: Readonly<Record<Filters['state'], string>> = {
  pending: 'pending',
  'in-progress': 'in progress',
  resolved: 'resolved',
  ignored: 'ignored',
  all: 'runs',
};

/** `2 of 220 pending`; without the second number while it is being counted. */
function ofText(count: number, all: number | undefined, { state }: Filters): string {
  const of = all === undefined ? '' : ` of ${formatCount(all)}`;
  return `${formatCount(count)}${of} ${STATE_WORDS[state]}`;
}

/** What the list shows of the runs, where that is not simply all of them. */
function viewOf({ latest, ignored }: Filters): string {
  return latest || ignored ? viewText({ latest, ignored, anomaly: true }) : '';
}
