import { type EngineFeature, hasFeature } from '@keepwatch/contract/microsoft365/engines';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import type { ChoiceSearch } from '../kit/filters/search-choices.tsx';
import { SearchFilter } from '../kit/filters/search-filter.tsx';
import { useApi } from '../kit/portal.tsx';
import { ORGANIZATIONS_KEY, useOrganizationNames } from './organizations.data.ts';

interface OrganizationChoiceProps {
  organizationId: string | null;
  /** Offers those alone whose engine has it. */
  feature?: EngineFeature;
  onChange: (organizationId: string | null) => void;
}

const CHOICES_MAX = 50;

/** One organization, found by name or company. */
export function OrganizationChoice({ organizationId, feature, onChange }: OrganizationChoiceProps) {
  const { data } = useOrganizationNames();
  const searchFor = useOrganizationSearch(feature);
  const nameOf = (id: string) => data?.find((organization) => organization.id === id)?.name ?? '…';
  const values = organizationId === null ? [] : [organizationId];
  return (
    <SearchFilter
      isSingle
      label="Organization"
      pluralLabel="Organizations"
      searchLabel="Search organizations"
      searchFor={searchFor}
      values={values}
      chosen={values.map(nameOf)}
      labelOf={nameOf}
      onChange={([id]) => onChange(id ?? null)}
    />
  );
}

/** All names are read at once: searching them asks nothing more. */
function useOrganizationSearch(feature: EngineFeature | undefined): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => ({
    queryKey: [...ORGANIZATIONS_KEY, 'choices', feature, search],
    queryFn: async ({ signal }) => {
      const { data } = await api.request(listOrganizationNames, {}, signal);
      const words = search.toLowerCase();
      const offered = data.filter(({ engine }) => feature === undefined || hasFeature(engine, feature));
      const found = offered.filter(({ name, companyName }) => `${name} ${companyName}`.toLowerCase().includes(words));
      const choices = found
        .slice(0, CHOICES_MAX)
        .map(({ id, name, companyName }) => ({ value: id, label: name, detail: companyName }));
      return { count: found.length, choices };
    },
  });
}
