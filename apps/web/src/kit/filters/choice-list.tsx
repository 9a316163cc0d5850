import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import type { KeyboardEvent } from 'react';
import styles from './choice-list.module.css';

interface ListedChoice<T extends string> {
  value: T;
  label: string;
  /** What distinguishes it from others with the same label: the company of a job. */
  detail?: string | undefined;
}

interface ChoiceListProps<T extends string> {
  choices: readonly ListedChoice<T>[];
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
      {choices.map(({ value, label, detail }) => (
        <button
          key={value}
          type="button"
          className={styles.choice}
          aria-pressed={values.includes(value)}
          title={detail === undefined ? label : `${label}, ${detail}`}
          onClick={() => onToggle(value)}
        >
          <IconCheck
            size={14}
            aria-hidden
            className={styles.check}
            data-hidden={!values.includes(value) || undefined}
          />
          <span className={styles.label}>{label}</span>
          {/* The comma is for those who hear it. */}
          {detail !== undefined && (
            <span className={styles.detail}>
              <span className="visually-hidden">, </span>
              {detail}
            </span>
          )}
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
