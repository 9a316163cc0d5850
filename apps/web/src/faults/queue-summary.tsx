import { COUNT_MAX } from '@keepwatch/contract/runs/values';
import { useCompanyNames } from '../entities/company-filter.data.ts';
import { KIND_WORDS } from '../entities/faults/fault-texts.ts';
import { type QueueFilters, queueFilters } from '../entities/queue.ts';
import { SOURCE_GROUP_WORDS } from '../entities/source-groups.ts';
import { NarrowedSummary } from '../kit/data-table/narrowed-summary.tsx';
import { formatCount, formatCounted } from '../kit/format/numbers.ts';
import { STATE_WORDS } from './fault-texts.ts';
import { useFaultCount } from './faults.data.ts';

interface QueueSummaryProps {
  /** Lines of the list; none while they are being counted. */
  lines: number | null;
  isByCause: boolean;
  filters: QueueFilters;
  onChange: (patch: Partial<QueueFilters>) => void;
}

/** What narrows the queue beside its state and its order, with nothing in it. */
const { state: _state, single: _single, ...UNNARROWED } = queueFilters.defaults;

/** How many faults the queue has, of how many causes, and why it does not have all. */
export function QueueSummary({ lines, isByCause, filters, onChange }: QueueSummaryProps) {
  const company = useCompanyNames(filters.company);
  const faults = useFaultCount(queueFilters.query(filters), isByCause);
  const text = lines === null ? '' : isByCause ? causesText(lines, faults) : faultsText(lines);
  return (
    <NarrowedSummary
      text={text}
      view={filters.state === 'open' ? '' : STATE_WORDS[filters.state].toLowerCase()}
      by={narrowedTo(filters, company).join(', ')}
      onClear={() => onChange(UNNARROWED)}
    />
  );
}

function faultsText(count: number): string {
  return count >= COUNT_MAX ? `${formatCount(COUNT_MAX)} or more faults` : formatCounted(count, 'fault', 'faults');
}

/** `64 faults, 23 causes`. */
function causesText(causes: number, faults: number | undefined): string {
  const ofCauses = formatCounted(causes, 'cause', 'causes');
  return faults === undefined ? ofCauses : `${faultsText(faults)}, ${ofCauses}`;
}

/** What the queue is narrowed to, in words. Empty if it is not. */
export function narrowedTo(filters: QueueFilters, companyName: (id: string) => string): string[] {
  const { company, source, kind, managed, search, cause } = filters;
  return [
    ...(cause === '' ? [] : ['one cause']),
    ...company.map(companyName),
    ...kind.map((value) => KIND_WORDS[value]),
    ...source.map((group) => SOURCE_GROUP_WORDS[group]),
    ...(managed === 'any' ? [] : [managed === 'yes' ? 'managed companies' : 'companies not managed']),
    ...(search.trim() === '' ? [] : [`“${search.trim()}”`]),
  ];
}
