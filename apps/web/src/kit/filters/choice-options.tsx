import { Combobox } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import type { ComponentPropsWithRef } from 'react';
import styles from './choice-list.module.css';

export interface ListedChoice<T extends string = string> {
  value: T;
  label: string;
  /** What distinguishes it from others with the same label: the company of a job. */
  detail?: string | undefined;
}

interface ChoiceOptionsProps extends ComponentPropsWithRef<'div'> {
  label: string;
  choices: readonly ListedChoice[];
  values: readonly string[];
  isMultiple: boolean;
}

/** The list box of a picker, and its options. */
export function ChoiceOptions({ label, choices, values, isMultiple, ...target }: ChoiceOptionsProps) {
  return (
    <Combobox.Options {...target} className={styles.options} aria-label={label} aria-multiselectable={isMultiple}>
      {choices.map((choice) => (
        <Option key={choice.value} choice={choice} isChosen={values.includes(choice.value)} />
      ))}
    </Combobox.Options>
  );
}

function Option({ choice: { value, label, detail }, isChosen }: { choice: ListedChoice; isChosen: boolean }) {
  return (
    <Combobox.Option
      value={value}
      active={isChosen}
      aria-selected={isChosen}
      className={styles.choice}
      title={detail === undefined ? label : `${label}, ${detail}`}
    >
      <IconCheck size={14} aria-hidden className={styles.check} data-hidden={!isChosen || undefined} />
      <span className={styles.label}>{label}</span>
      {/* The comma is for those who hear it. */}
      {detail !== undefined && (
        <span className={styles.detail}>
          <span className="visually-hidden">, </span>
          {detail}
        </span>
      )}
    </Combobox.Option>
  );
}
