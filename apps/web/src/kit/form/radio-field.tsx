import { useId } from 'react';
import type { FieldWords } from './field.ts';
import { type FieldName, valueAt } from './field-name.ts';
import styles from './radio-field.module.css';
import type { CallForm } from './use-call-form.ts';

interface RadioFieldProps<V extends object> extends Pick<FieldWords, 'label'> {
  form: CallForm<V>;
  name: FieldName<V, string>;
  /** Each says what it means: there are few. */
  choices: readonly { value: string; label: string; description?: string }[];
  /** What follows a choice, beside setting the field. */
  onChoose?: (value: string) => void;
}

/** Exactly one of a few values that need a sentence each. */
export function RadioField<V extends object>({ form, name, label, choices, onChoose }: RadioFieldProps<V>) {
  const id = useId();
  const chosen = valueAt(form.values, name);
  const choose = (value: string) => {
    form.set(name, value);
    onChoose?.(value);
  };
  return (
    <fieldset className={styles.field}>
      <legend>{label}</legend>
      {choices.map(({ value, label: word, description }) => (
        <div key={value} className={styles.choice} data-chosen={value === chosen || undefined}>
          <input
            type="radio"
            id={`${id}-${value}`}
            name={`${id}-${name}`}
            value={value}
            checked={value === chosen}
            aria-describedby={description === undefined ? undefined : `${id}-${value}-description`}
            onChange={() => choose(value)}
          />
          {/* The whole card reacts; the description is not part of the name. */}
          <label htmlFor={`${id}-${value}`}>{word}</label>
          {description !== undefined && (
            <span id={`${id}-${value}-description`} className={styles.description}>
              {description}
            </span>
          )}
        </div>
      ))}
    </fieldset>
  );
}
