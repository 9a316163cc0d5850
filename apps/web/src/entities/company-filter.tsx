import { SearchFilter } from '../kit/filters/search-filter.tsx';
import { useCompanyNames, useCompanySearch } from './company-filter.data.ts';

interface CompanyFilterProps {
  /** Ids of the chosen companies; none means all. */
  companyIds: readonly string[];
  onChange: (companyIds: readonly string[]) => void;
}

/** Any number of companies, found by name on the server. */
export function CompanyFilter({ companyIds, onChange }: CompanyFilterProps) {
  const searchFor = useCompanySearch();
  const nameOf = useCompanyNames(companyIds);
  return (
    <SearchFilter
      label="Company"
      pluralLabel="Companies"
      searchLabel="Search companies"
      searchFor={searchFor}
      values={companyIds}
      chosen={companyIds.map(nameOf)}
      labelOf={nameOf}
      onChange={onChange}
    />
  );
}
