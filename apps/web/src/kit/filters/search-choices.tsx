import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryKey, useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { messageOf } from '../api.ts';
import { formatCount } from '../format/numbers.ts';
import { ChoiceOptions, type ListedChoice } from './choice-options.tsx';
import styles from './search-choices.module.css';
import { type ListBox, useListBox } from './use-list-box.ts';

/** The first choices that fit a search, and how many there are in all. */
export interface FoundChoices {
  count: number;
  choices: readonly ListedChoice[];
  /** What is to be known about them: that a console did not answer. */
  note?: string | undefined;
}

/** How choices are read: a key for the cache, and the reading. */
export interface ChoiceSearch {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal }) => Promise<FoundChoices>;
}

export interface SearchChoicesProps {
  /** What one is called: `Company`. */
  label: string;
  /** What they are called: `Companies`. */
  pluralLabel: string;
  /** Says what is searched: `Search companies`. */
  searchLabel: string;
  /** The choices for a text; an empty one fits all. */
  searchFor: (text: string) => ChoiceSearch;
  /** The chosen ones; none means all. */
  values: readonly string[];
  /** The chosen ones are listed first, and stay listed while the user searches for others. */
  labelOf: (value: string) => string;
  onChange: (values: readonly string[]) => void;
  /** Allows one at most: a choice replaces the one before, and the list closes. */
  isSingle?: boolean;
  /** Makes the thing that was searched and is not there; gives its value. A failure is said under the list. */
  onCreate?: ((name: string) => Promise<string>) | undefined;
  /** How long to wait after a key before searching: longer where other systems are asked. */
  pauseMs?: number;
  /** Characters from which it searches; by default it begins with all. */
  lengthMin?: number;
}

/** Shorter than between two keys of a person who types: choices follow each key, and a held key asks once. */
const PAUSE_MS = 30;
/** The search and its list, in a panel of their own or beside other filters. */
export function SearchChoices(props: SearchChoicesProps & { isFocused?: boolean; close?: () => void }) {
  const {
    label,
    pluralLabel,
    searchLabel,
    searchFor,
    values,
    labelOf,
    onChange,
    isSingle,
    onCreate,
    pauseMs = PAUSE_MS,
    lengthMin = 0,
  } = props;
  const { isFocused = false, close } = props;
  const input = useFocus(isFocused);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), pauseMs);
  const isTooShort = search.length < lengthMin;
  const { data, error, isPlaceholderData } = useChoices(searchFor(search), isTooShort);
  const found = data?.choices ?? [];
  const isFound = data !== undefined && !isPlaceholderData && search === typed.trim();
  const choices = useChosenFirst(found, values, labelOf);
  const toggle = (value: string) => {
    if (isSingle === true) close?.();
    onChange(toggled(values, value, isSingle === true));
  };
  const listBox = useListBox(choices, toggle);
  const creation = useMutation({
    mutationFn: async () => onCreate?.(search),
    onSuccess: (value) => value && toggle(value),
  });
  const isMissing = isFound && search !== '' && !found.some((choice) => isSameName(choice.label, search));
  const canCreate = onCreate !== undefined && isMissing;
  const onKeyDown = (event: KeyboardEvent) => {
    if (listBox.onKeyDown(event) || event.key !== 'Enter') return;
    // It searches; a form around it is not meant.
    event.preventDefault();
    const [only] = found;
    if (isFound && found.length === 1 && only !== undefined) toggle(only.value);
    else if (canCreate && found.length === 0 && !creation.isPending) creation.mutate();
  };
  return (
    <div className={styles.choices}>
      <SearchField
        label={searchLabel}
        ref={input}
        listBox={listBox}
        typed={typed}
        onKeyDown={onKeyDown}
        onType={(text) => {
          listBox.reset();
          setTyped(text);
        }}
      />
      <div className={styles.list}>
        <ChoiceOptions
          label={pluralLabel}
          choices={choices}
          values={values}
          isMultiple={isSingle !== true}
          listBox={listBox}
          onChoose={toggle}
        />
        {values.length > 0 && <ClearButton onClick={() => onChange([])} />}
      </div>
      {canCreate && <CreateButton thing={`${label.toLowerCase()} “${search}”`} creation={creation} />}
      <p className={styles.note} aria-live="polite">
        {messageIn(creation.error ?? error) ??
          (isTooShort
            ? `Type at least ${lengthMin} characters.`
            : noteOf(label, data, onCreate !== undefined && search === ''))}
      </p>
    </div>
  );
}

function toggled(values: readonly string[], value: string, isSingle: boolean): readonly string[] {
  if (values.includes(value)) return values.filter((other) => other !== value);
  return isSingle ? [value] : [...values, value];
}

function CreateButton({ thing, creation }: { thing: string; creation: { isPending: boolean; mutate: () => void } }) {
  return (
    <Button variant="light" loading={creation.isPending} onClick={() => creation.mutate()}>
      <span className={styles.create}>Create {thing}</span>
    </Button>
  );
}

function ClearButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={styles.clear} onClick={onClick}>
      Clear
    </button>
  );
}

interface SearchFieldProps {
  label: string;
  ref: Ref<HTMLInputElement>;
  listBox: ListBox;
  typed: string;
  onKeyDown: (event: KeyboardEvent) => void;
  onType: (text: string) => void;
}

/** Has the focus and the keys, and names the current option. */
function SearchField({ label, ref, listBox, typed, onKeyDown, onType }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      role="combobox"
      aria-label={label}
      aria-expanded
      aria-autocomplete="list"
      aria-controls={listBox.id}
      aria-activedescendant={listBox.current === null ? undefined : listBox.idOf(listBox.current)}
      autoComplete="off"
      placeholder={label}
      ref={ref}
      maxLength={200}
      value={typed}
      onKeyDown={onKeyDown}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

/** Gives a field the focus. Its code may be there later than the panel around it, which gives the focus to what it finds. */
function useFocus(isFocused: boolean) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus({ preventScroll: true });
  }, [isFocused]);
  return input;
}

/** The choices of a search, and those of the one before until they are there; none for a text that is too short to search for. */
function useChoices(search: ChoiceSearch, isTooShort: boolean) {
  const { data, error, isPlaceholderData } = useQuery({
    ...search,
    placeholderData: keepPreviousData,
    enabled: !isTooShort,
  });
  return isTooShort ? { data: undefined, error: null, isPlaceholderData: false } : { data, error, isPlaceholderData };
}

/** Those that were chosen when the list was opened come first: a choice does not move the list under the pointer. */
function useChosenFirst(
  found: readonly ListedChoice[],
  values: readonly string[],
  labelOf: (value: string) => string,
): readonly ListedChoice[] {
  const [first] = useState(values);
  const known = (value: string) => found.find((choice) => choice.value === value) ?? { value, label: labelOf(value) };
  const isFound = (value: string) => found.some((choice) => choice.value === value);
  const later = values.filter((value) => !first.includes(value) && !isFound(value));
  return [...[...first, ...later].map(known), ...found.filter(({ value }) => !first.includes(value))];
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function messageIn(error: unknown): string | null {
  return error === null ? null : messageOf(error);
}

function noteOf(label: string, found: FoundChoices | undefined, isToCreate: boolean): string {
  if (found === undefined) return 'Loading…';
  const { count, choices, note } = found;
  if (note !== undefined) return note;
  if (count === 0 && isToCreate) return `There is no ${label.toLowerCase()} yet. Type a name.`;
  if (count === 0) return `No matching ${label.toLowerCase()}.`;
  return count > choices.length
    ? `Showing ${formatCount(choices.length)} of ${formatCount(count)}. Type to narrow.`
    : '';
}
