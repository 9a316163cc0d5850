import type { KeyboardEvent } from 'react';
import styles from './choice-list.module.css';
import { ChoiceOptions, type ListedChoice } from './choice-options.tsx';
import { useListBox } from './use-list-box.ts';

interface ChoiceListProps<T extends string> {
  /** What is chosen here, for screen readers. */
  label: string;
  choices: readonly ListedChoice<T>[];
  values: readonly T[];
  onToggle: (value: T) => void;
  /** With it there is a way to choose none, shown where something is chosen. */
  onClear?: () => void;
  /** Exactly one is chosen. */
  isSingle?: boolean;
  /** Gets the focus when the panel around it opens. */
  isFocused?: boolean;
}

/** A few known values as a list box: arrow keys go from one to the next, Space and Enter choose. */
export function ChoiceList<T extends string>(props: ChoiceListProps<T>) {
  const { label, choices, values, onToggle, onClear, isSingle = false, isFocused = false } = props;
  const toggle = (text: string) => toggleKnown(text, choices, onToggle);
  const listBox = useListBox(choices, toggle);
  const onKeyDown = (event: KeyboardEvent) => {
    if (listBox.onKeyDown(event) || event.key !== ' ') return;
    event.preventDefault();
    if (listBox.current !== null) toggle(listBox.current);
  };
  return (
    <div className={styles.list}>
      <ChoiceOptions
        label={label}
        choices={choices}
        values={values}
        isMultiple={!isSingle}
        listBox={listBox}
        onChoose={toggle}
        tabIndex={0}
        aria-activedescendant={listBox.current === null ? undefined : listBox.idOf(listBox.current)}
        onKeyDown={onKeyDown}
        {...(isFocused ? { 'data-autofocus': true } : {})}
      />
      {onClear !== undefined && values.length > 0 && (
        <button type="button" className={styles.clear} onClick={onClear}>
          Clear
        </button>
      )}
    </div>
  );
}

function toggleKnown<T extends string>(
  text: string,
  choices: readonly ListedChoice<T>[],
  onToggle: (value: T) => void,
) {
  const choice = choices.find(({ value }) => value === text);
  if (choice !== undefined) onToggle(choice.value);
}
