import { SearchFilter } from '../kit/filters/search-filter.tsx';
import { useJobSearch } from './job-filter.data.ts';

interface JobFilterProps {
  /** `jobInstanceUid`s; none means all. */
  jobs: readonly string[];
  /** Jobs of these companies are offered; none means all. */
  companyIds: readonly string[];
  onChange: (jobs: readonly string[]) => void;
}

/** Any number of jobs, found by name on the server. The button counts them: the server finds no names by their ids. */
export function JobFilter({ jobs, companyIds, onChange }: JobFilterProps) {
  const searchFor = useJobSearch(companyIds);
  return (
    <SearchFilter
      label="Job"
      pluralLabel="Jobs"
      searchLabel="Search jobs by name"
      searchFor={searchFor}
      values={jobs}
      chosen={jobs.length === 0 ? [] : [jobs.length === 1 ? '1 job' : `${jobs.length} jobs`]}
      onChange={onChange}
    />
  );
}
