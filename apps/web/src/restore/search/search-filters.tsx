import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { DateRangePicker } from '../../kit/date-range/date-range-picker.tsx';
import { ChoiceFilter, SingleFilter } from '../../kit/filters/choice-filter.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import type { ChangeAddress, ExplorerAddress } from '../explorer/address.ts';
import type { RestoreApplication } from '../explorer/application.ts';
import { hasFilters, NO_FILTERS, SIZES, TYPES } from './filters.ts';
import styles from './search.module.css';

interface SearchFiltersProps {
  application: RestoreApplication;
  address: ExplorerAddress;
  change: ChangeAddress;
}

/** What narrows a search beside its words: kind, days, people, size, attachments, and whether it is gone. */
export function SearchFilters({ application, address, change }: SearchFiltersProps) {
  const { types, when, sender, recipient, size, attached, gone, all } = address;
  const choices = TYPES[application.sessionType];
  const isMail = application.sessionType === 'vex';
  return (
    <section className={styles.filters} aria-label="Search filters">
      {choices.length > 0 && (
        <ChoiceFilter
          label="Type"
          choices={choices}
          values={choices.flatMap(({ value }) => (types.includes(value) ? [value] : []))}
          onChange={(next) => change({ types: next })}
        />
      )}
      <DateRangePicker
        emptyLabel="Date"
        value={when === '' ? null : when}
        onChange={(next) => change({ when: next })}
      />
      <TextFilter label={application.fromTitle} value={sender} onChange={(next) => change({ sender: next })} />
      {isMail && <TextFilter label="To" value={recipient} onChange={(next) => change({ recipient: next })} />}
      <SingleFilter
        label="Size"
        choices={SIZES}
        value={SIZES.find(({ value }) => value === size)?.value ?? ''}
        neutral={['']}
        onChange={(next) => change({ size: next })}
      />
      {isMail && (
        <ToggleButton isOn={attached} onChange={(next) => change({ attached: next })}>
          Has attachments
        </ToggleButton>
      )}
      <ToggleButton isOn={all} onChange={(next) => change({ all: next })}>
        Over all time
      </ToggleButton>
      <ToggleButton isOn={gone} onChange={(next) => change({ gone: next, ...(next ? { all: true } : {}) })}>
        Only deleted
      </ToggleButton>
      {hasFilters(address) && (
        <Button variant="subtle" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </section>
  );
}

/** Longer than between two keys: each search is recorded. */
const PAUSE_MS = 400;

interface TextFilterProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const passOn = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE_MS);
  // Going back in the history, and clearing the filters, changes it from outside.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  return (
    <TextInput
      className={styles.text}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        passOn(event.currentTarget.value);
      }}
    />
  );
}
