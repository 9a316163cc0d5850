import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { messageOf } from '../api.ts';
import { formatCount } from '../format/numbers.ts';
import { Panel } from '../panel/panel.tsx';
import { ChoiceList } from './choice-list.tsx';
import { useCompaniesById, useCompanyChoices } from './company-filter.data.ts';
import styles from './company-filter.module.css';
import { FilterButton } from './filter-button.tsx';

interface CompanyFilterProps {
  /** Ids of the chosen companies; none means all. */
  companyIds: readonly string[];
  onChange: (companyIds: readonly string[]) => void;
}

const PAUSE_MS = 200;

/** Any number of companies, found by name on the server. */
export function CompanyFilter({ companyIds, onChange }: CompanyFilterProps) {
  const chosen = useCompaniesById(companyIds);
  const nameOf = (id: string) => chosen.data?.data.find((company) => company._id === id)?.name ?? '…';
  return (
    <Panel
      label="Companies"
      trigger={(props) => <FilterButton {...props} label="Company" chosen={companyIds.map(nameOf)} />}
    >
      {() => <Choices companyIds={companyIds} nameOf={nameOf} onChange={onChange} />}
    </Panel>
  );
}

function Choices({ companyIds, nameOf, onChange }: CompanyFilterProps & { nameOf: (id: string) => string }) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data, error } = useCompanyChoices(search, true);
  const found = (data?.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }));
  const others = companyIds.filter((id) => !found.some(({ value }) => value === id));
  // Chosen ones stay in reach while something else is searched.
  const choices = [...others.map((id) => ({ value: id, label: nameOf(id) })), ...found];
  const toggle = (id: string) =>
    onChange(companyIds.includes(id) ? companyIds.filter((other) => other !== id) : [...companyIds, id]);
  return (
    <div className={styles.choices}>
      <TextInput
        type="search"
        aria-label="Search companies"
        placeholder="Search companies"
        autoFocus
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.list}>
        <ChoiceList
          label="Companies"
          choices={choices}
          values={companyIds}
          onToggle={toggle}
          onClear={() => onChange([])}
        />
      </div>
      <p className={styles.note} aria-live="polite">
        {error === null ? noteOf(found.length, data?.count) : messageOf(error)}
      </p>
    </div>
  );
}

function noteOf(shown: number, count: number | undefined): string {
  if (count === undefined) return 'Loading…';
  if (count === 0) return 'No company has this in its name.';
  return count > shown ? `${formatCount(shown)} of ${formatCount(count)}. Type to find others.` : '';
}
