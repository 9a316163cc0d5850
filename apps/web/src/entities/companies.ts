import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/runs/values';
import { flagField, idListField, listField, textField } from '../kit/address/url-state.ts';
import { declareFilters, filter, type ValuesOfFilters } from '../kit/declare-filters.ts';

/** What narrows the companies: a name, those with jobs, of some sources, of some ids, as a figure of the dashboard counts them. */
export const companiesFilters = declareFilters(
  {
    search: filter(textField(), { asks: 'search' }),
    jobs: filter(flagField(), { asks: 'withJobs', as: (isSet: boolean) => isSet || undefined }),
    source: filter(listField(DATA_SOURCE_GROUPS), { asks: 'source' }),
    company: filter(idListField(), { asks: 'ids' }),
  },
  // The sources are those of the jobs.
  (values) => (values.jobs ? values : { ...values, source: [] }),
);

export type CompaniesFilters = ValuesOfFilters<typeof companiesFilters>;
