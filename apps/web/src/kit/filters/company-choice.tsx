import { createCompany } from '@keepwatch/contract/directory/companies';
import { useAllows, useToasts, useUser } from '../portal.tsx';
import { useCompanyNames, useCompanySearch, useCreateCompany } from './company-filter.data.ts';
import { SearchFilter } from './search-filter.tsx';

interface CompanyChoiceProps {
  companyId: string | null;
  onChange: (companyId: string | null) => void;
}

/** One company, found by name on the server; who may add companies makes one that is not there from its name. */
export function CompanyChoice({ companyId, onChange }: CompanyChoiceProps) {
  const values = companyId === null ? [] : [companyId];
  const searchFor = useCompanySearch();
  const nameOf = useCompanyNames(values);
  const create = useCreate();
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
      onCreate={create}
    />
  );
}

/** Whoever is limited to companies could not reach the new one. */
function useCreate(): ((name: string) => Promise<string>) | undefined {
  const { mutateAsync } = useCreateCompany();
  const { companyIds } = useUser();
  const toasts = useToasts();
  const mayCreate = useAllows(createCompany.access) && companyIds === null;
  if (!mayCreate) return undefined;
  return async (name) => {
    const { data } = await mutateAsync(name);
    toasts.success(`The company ${data.name} has been added.`);
    return data._id;
  };
}
