import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../api.ts';
import { formatCount } from '../format/numbers.ts';
import { Panel } from '../panel/panel.tsx';
import { ChoiceList } from './choice-list.tsx';
import { FilterButton } from './filter-button.tsx';
import styles from './search-filter.module.css';

interface Choice {
  value: string;
  label: string;
}

/** The first choices that fit a search, and how many there are in all. */
export interface FoundChoices {
  count: number;
  choices: readonly Choice[];
}

/** How choices are read: a key for the cache, and the reading. */
export interface ChoiceSearch {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal }) => Promise<FoundChoices>;
}

interface SearchFilterProps {
  /** On the button, and what one is called: `Company`. */
  label: string;
  /** What they are called: `Companies`. */
  pluralLabel: string;
  /** Says what is searched: `Search companies`. */
  searchLabel: string;
  /** The choices for a text; an empty one fits all. */
  searchFor: (text: string) => ChoiceSearch;
  /** The chosen ones; none means all. */
  values: readonly string[];
  /** What is chosen, as the button says it. */
  chosen: readonly string[];
  /** With it the chosen ones stay in reach while something else is searched. */
  labelOf?: (value: string) => string;
  onChange: (values: readonly string[]) => void;
}

const PAUSE_MS = 200;

/** Any number of things, found by name on the server. */
export function SearchFilter(props: SearchFilterProps) {
  const { label, pluralLabel, chosen } = props;
  return (
    <Panel label={pluralLabel} trigger={(button) => <FilterButton {...button} label={label} chosen={chosen} />}>
      {() => <Choices {...props} />}
    </Panel>
  );
}

function Choices({ label, pluralLabel, searchLabel, searchFor, values, labelOf, onChange }: SearchFilterProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data, error } = useQuery({ ...searchFor(search), placeholderData: keepPreviousData });
  const found = data?.choices ?? [];
  const others = labelOf === undefined ? [] : values.filter((chosen) => !found.some(({ value }) => value === chosen));
  const choices = [...others.map((value) => ({ value, label: labelOf?.(value) ?? value })), ...found];
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
  return (
    <div className={styles.choices}>
      <TextInput
        type="search"
        aria-label={searchLabel}
        placeholder={searchLabel}
        autoFocus
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={styles.list}>
        <ChoiceList
          label={pluralLabel}
          choices={choices}
          values={values}
          onToggle={toggle}
          onClear={() => onChange([])}
        />
      </div>
      <p className={styles.note} aria-live="polite">
        {error === null ? noteOf(label, data) : messageOf(error)}
      </p>
    </div>
  );
}

function noteOf(label: string, found: FoundChoices | undefined): string {
  if (found === undefined) return 'Loading…';
  const { count, choices } = found;
  if (count === 0) return `No ${label.toLowerCase()} has this in its name.`;
  return count > choices.length ? `${formatCount(choices.length)} of ${formatCount(count)}. Type to find others.` : '';
}
