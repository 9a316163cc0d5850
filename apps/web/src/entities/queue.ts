import { FAULT_KINDS, FAULT_STATES, type FaultState } from '@keepwatch/contract/faults/values';
import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/runs/values';
import { choiceField, flagField, idListField, listField, textField, type UrlField } from '../kit/address/url-state.ts';
import { declareFilters, filter, type ValuesOfFilters } from '../kit/declare-filters.ts';
import { alwaysWritten, managedFilter } from './daily-checks.ts';

/** `open`: pending or in progress. */
export const QUEUE_STATES = ['open', ...FAULT_STATES] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

/** What narrows the queue of faults. */
export const queueFilters = declareFilters({
  state: filter(alwaysWritten(choiceField(QUEUE_STATES, 'open')), { isSaved: true, asks: 'state', as: statesOf }),
  kind: filter(listField(FAULT_KINDS), { isSaved: true, asks: 'kind' }),
  company: filter(idListField(), { asks: 'companyIds' }),
  source: filter(listField(DATA_SOURCE_GROUPS), { isSaved: true, asks: 'source' }),
  managed: managedFilter,
  search: filter(textField(), { asks: 'search' }),
  /** The key of the one cause that is shown, with each of its faults. */
  cause: filter(causeField(), { asks: 'cause' }),
  /** Each fault on a line of its own, instead of one line a cause. */
  single: filter(flagField(), { isSaved: true }),
});
export type QueueFilters = ValuesOfFilters<typeof queueFilters>;

function statesOf(state: QueueState): FaultState[] {
  return state === 'open' ? ['pending', 'in-progress'] : [state];
}

/** A link that was cut names no cause. */
function causeField(): UrlField<string> {
  return {
    read: ([key = '']) => (/^[0-9a-f]{8,64}$/.test(key) ? key : ''),
    write: (key) => (key === '' ? [] : [key]),
  };
}
