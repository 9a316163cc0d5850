import { ActionIcon } from '@mantine/core';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useCompanyNames, useCompanySearch } from '../entities/company-filter.data.ts';
import { useCompanyScope, useSetCompanyScope } from '../entities/company-scope.ts';
import { FilterButton } from '../kit/filters/filter-button.tsx';
import { SearchChoices } from '../kit/filters/search-choices.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import styles from './company-scope.module.css';

/** Which companies the user works on, on all screens. One press takes them away. */
export default function CompanyScope() {
  const scope = useCompanyScope();
  const setScope = useSetCompanyScope();
  const searchFor = useCompanySearch();
  const nameOf = useCompanyNames(scope);
  return (
    <div className={styles.scope} data-set={scope.length > 0 || undefined}>
      <Panel
        label="Scope: what all screens show"
        align="end"
        trigger={(button) => <FilterButton {...button} label="Scope" chosen={scope.map(nameOf)} />}
      >
        {(close) => (
          <SearchChoices
            isFocused
            label="Company"
            pluralLabel="Companies"
            searchLabel="Search companies"
            searchFor={searchFor}
            values={scope}
            labelOf={nameOf}
            onChange={setScope}
            close={close}
          />
        )}
      </Panel>
      {scope.length > 0 && (
        <ActionIcon aria-label="Clear the scope" title="Show all companies" onClick={() => setScope([])}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}
