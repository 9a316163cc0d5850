import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import type { KeyboardEvent } from 'react';
import styles from './choice-list.module.css';

interface ChoiceListProps<T extends string> {
  choices: readonly { value: T; label: string }[];
  values: readonly T[];
  onToggle: (value: T) => void;
  /** With it there is a way to choose none, shown where something is chosen. */
  onClear?: () => void;
  /** What is chosen here, for screen readers. */
  label: string;
}

/** The values of a filter, in a panel. Arrow keys go from one to the next. */
export function ChoiceList<T extends string>({ label: name, choices, values, onToggle, onClear }: ChoiceListProps<T>) {
  return (
    <fieldset className={styles.list} aria-label={name} onKeyDown={moveFocus}>
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          className={styles.choice}
          aria-pressed={values.includes(value)}
          onClick={() => onToggle(value)}
        >
          <IconCheck
            size={14}
            aria-hidden
            className={styles.check}
            data-hidden={!values.includes(value) || undefined}
          />
          <span className={styles.label}>{label}</span>
        </button>
      ))}
      {onClear !== undefined && values.length > 0 && (
        <button type="button" className={styles.clear} onClick={onClear}>
          Clear
        </button>
      )}
    </fieldset>
  );
}

function moveFocus(event: KeyboardEvent<HTMLFieldSetElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const place = buttons.findIndex((button) => button.matches(':focus'));
  buttons.at((place + step) % buttons.length)?.focus();
}
