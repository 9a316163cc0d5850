import { Combobox, useCombobox } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import styles from './choice-list.module.css';
import { ChoiceOptions, type ListedChoice } from './choice-options.tsx';

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
  const store = useCombobox({ opened: true });
  const chooseWithSpace = (event: KeyboardEvent) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    store.clickSelectedOption();
  };
  return (
    <div className={styles.list}>
      <Combobox store={store} onOptionSubmit={(text) => toggleKnown(text, choices, onToggle)}>
        <Combobox.EventsTarget {...WITHOUT_PARTS_OF_A_FIELD}>
          <ChoiceOptions
            label={label}
            choices={choices}
            values={values}
            isMultiple={!isSingle}
            tabIndex={0}
            onKeyDown={chooseWithSpace}
            {...(isFocused ? { 'data-autofocus': true } : {})}
          />
        </Combobox.EventsTarget>
      </Combobox>
      {onClear !== undefined && values.length > 0 && (
        <button type="button" className={styles.clear} onClick={onClear}>
          Clear
        </button>
      )}
    </div>
  );
}

/** The list itself has the keyboard: it opens nothing, and nothing is typed into it. */
const WITHOUT_PARTS_OF_A_FIELD = {
  'aria-haspopup': undefined,
  'aria-controls': undefined,
  autoComplete: undefined,
};

function toggleKnown<T extends string>(
  text: string,
  choices: readonly ListedChoice<T>[],
  onToggle: (value: T) => void,
) {
  const choice = choices.find(({ value }) => value === text);
  if (choice !== undefined) onToggle(choice.value);
}
