import { RESULT_LOOKS } from '../entities/result-badge.tsx';
import { SOURCE_GROUP_WORDS } from '../entities/source-groups.ts';
import { DEFAULT_FILTERS, type Filters } from './filters.ts';

/** What narrows the list beside its days, its state and its view, with nothing in it. */
const { date: _date, day: _day, state: _state, ignored: _ignored, latest: _latest, ...rest } = DEFAULT_FILTERS;
export const UNNARROWED = rest;

/** Of runs with an anomaly, among the results. */
export const DOUBTFUL_WORD = 'Doubtful';

/** The filters without what narrows the list to some companies, jobs or runs. */
export function unnarrowed(filters: Filters): Filters {
  return { ...filters, ...UNNARROWED };
}

interface Names {
  company: (id: string) => string;
  job: (id: string) => string;
}

/** What the list is narrowed to, in words: `Fjordlys Energi AS`, `Failed`. Empty if it is not narrowed. */
export function narrowedTo(filters: Filters, names: Names): string[] {
  const { company, source, result, doubtful, job, managed, search, anomaly, unassigned } = filters;
  return [
    ...company.map(names.company),
    ...job.map(names.job),
    ...result.map((value) => RESULT_LOOKS[value].word),
    ...(doubtful ? [DOUBTFUL_WORD] : []),
    ...source.map((group) => SOURCE_GROUP_WORDS[group]),
    ...(managed === 'any' ? [] : [managed === 'yes' ? 'managed companies' : 'companies not managed']),
    ...(search.trim() === '' ? [] : [`“${search.trim()}”`]),
    ...(anomaly ? [] : ['no anomalies']),
    ...(unassigned ? ['not assigned to one job'] : []),
  ];
}
