import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useEffect, useRef, useState } from 'react';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import styles from './filter-bar.module.css';

interface SearchInputProps {
  value: string;
  /** Called when the person pauses. */
  onChange: (value: string) => void;
  /** `Search jobs`. */
  label: string;
  /** Of a dialog: where one begins. */
  isFocused?: boolean;
}

/** Shorter than between two keys of a person who types: rows follow each key, and a held key asks once. */
const PAUSE_MS = 30;

/** A search as one types. `/` goes to it. */
export function SearchInput({ value, onChange, label, isFocused = false }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const inputRef = useRef<HTMLInputElement>(null);
  /** What was passed on and may still come back as the value, while the person types on. */
  const passedOn = useRef<string[]>([]);
  // Without the white space around it, which the person may still be typing behind: the field itself keeps it.
  const passOn = useDebouncedCallback((text: string) => {
    const search = text.trim();
    if (search === (passedOn.current.at(-1) ?? value)) return;
    passedOn.current.push(search);
    onChange(search);
  }, PAUSE_MS);
  useShortcut('/', label, () => inputRef.current?.focus());
  // Going back in the history changes the search from outside.
  useEffect(() => {
    const at = passedOn.current.indexOf(value);
    passedOn.current.splice(0, at === -1 ? passedOn.current.length : at + 1);
    if (at === -1) setTyped(value);
  }, [value]);
  const change = (text: string) => {
    setTyped(text);
    passOn(text);
  };
  return (
    <TextInput
      ref={inputRef}
      type="search"
      className={styles.search}
      aria-label={label}
      data-autofocus={isFocused || undefined}
      placeholder={label}
      maxLength={200}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="xs" aria-label="Clear the search" onClick={() => change('')} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
