import { SearchFilter } from '../kit/filters/search-filter.tsx';
import { useCompanyNames, useCompanySearch } from './company-filter.data.ts';
import { useCreateCompany, useMayChangeCompanies } from './new-company.data.ts';

interface CompanyChoiceProps {
  companyId: string | null;
  onChange: (companyId: string | null) => void;
}

/** One company, found by name on the server; who may add companies makes one that is not there from its name. */
export function CompanyChoice({ companyId, onChange }: CompanyChoiceProps) {
  const values = companyId === null ? [] : [companyId];
  const searchFor = useCompanySearch();
  const nameOf = useCompanyNames(values);
  const mayCreate = useMayChangeCompanies();
  const { mutateAsync } = useCreateCompany();
  const create = async (name: string) => (await mutateAsync({ name })).data._id;
  return (
    <SearchFilter
      isSingle
      label="Company"
      pluralLabel="Companies"
      searchLabel="Search companies"
      searchFor={searchFor}
      values={values}
      chosen={values.map(nameOf)}
      labelOf={nameOf}
      onChange={([id]) => onChange(id ?? null)}
      onCreate={mayCreate ? create : undefined}
    />
  );
}
