import { SearchChoices } from '../kit/filters/search-choices.tsx';
import { useJobNames, useJobSearch } from './job-filter.data.ts';

interface JobFilterProps {
  /** `jobInstanceUid`s; none means all. */
  jobs: readonly string[];
  /** Jobs of these companies are offered; none means all. */
  companyIds: readonly string[];
  onChange: (jobs: readonly string[]) => void;
}

/** Any number of jobs, found by name on the server. */
export function JobFilter({ jobs, companyIds, onChange }: JobFilterProps) {
  const searchFor = useJobSearch(companyIds);
  const { labelOf } = useJobNames(jobs);
  return (
    <SearchChoices
      label="Job"
      pluralLabel="Jobs"
      searchLabel="Search jobs by name"
      searchFor={searchFor}
      values={jobs}
      labelOf={labelOf}
      onChange={onChange}
    />
  );
}
