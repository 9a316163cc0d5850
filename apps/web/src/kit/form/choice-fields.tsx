import { Checkbox, Input, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldWords } from './field.ts';
import { textProps } from './field.ts';
import { type FieldName, valueAt } from './field-name.ts';
import { FileInput } from './file-input.tsx';
import styles from './form.module.css';
import type { CallForm } from './use-call-form.ts';

interface ChoiceFieldProps<V extends object> extends FieldWords {
  form: CallForm<V>;
  name: FieldName<V, string>;
  choices: readonly { value: string; label: string }[];
  /** Where the contract does not say it. */
  required?: boolean;
}

/** Exactly one of a few known values. */
export function ChoiceField<V extends object>({
  form,
  name,
  choices,
  isFocused,
  required,
  ...words
}: ChoiceFieldProps<V>) {
  const { maxLength: _, ...props } = { maxLength: 0, ...textProps(form, name, { isFocused: isFocused === true }) };
  const hasBlank = choices.some(({ value }) => value === '');
  const blank = props.value === '' && !hasBlank ? [{ value: '', label: '' }] : [];
  const data = [...blank, ...choices];
  return <NativeSelect {...words} {...props} {...(required === undefined ? {} : { required })} data={data} />;
}

interface ChoicesFieldProps<V extends object> extends FieldWords {
  form: CallForm<V>;
  name: FieldName<V, readonly string[]>;
  choices: readonly { value: string; label: string }[];
}

/** Any number of a few known values. */
export function ChoicesField<V extends object>({ form, name, ...props }: ChoicesFieldProps<V>) {
  const value = valueAt(form.values, name);
  return (
    <ChoicesInput
      {...props}
      problem={form.problem(name)}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(chosen) => form.set(name, chosen)}
    />
  );
}

interface ChoicesInputProps extends FieldWords {
  choices: readonly { value: string; label: string }[];
  problem: string | undefined;
  value: readonly string[];
  onChange: (value: string[]) => void;
}

/** The same for a field whose values are not simply those of the choices. */
export function ChoicesInput({ label, description, choices, problem, value, onChange }: ChoicesInputProps) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      descriptionProps={{ size: 'md' }}
      error={problem}
      value={[...value]}
      onChange={onChange}
    >
      <div className={styles.choices}>
        {choices.map((choice) => (
          <Checkbox key={choice.value} {...choice} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

interface FlagFieldProps<V extends object> extends FieldWords {
  form: CallForm<V>;
  name: FieldName<V, boolean>;
}

/** Yes or no. */
export function FlagField<V extends object>({ form, name, isFocused, ...words }: FlagFieldProps<V>) {
  return (
    <Checkbox
      {...words}
      name={name}
      checked={valueAt(form.values, name) === true}
      error={form.problem(name)}
      {...(isFocused === true ? { 'data-autofocus': true } : {})}
      onChange={(event) => form.set(name, event.currentTarget.checked)}
    />
  );
}

interface FileFieldProps<V extends object> extends FieldWords {
  form: CallForm<V>;
  name: FieldName<V, File | null>;
  /** Kinds of files that are offered first: `.pem,.pfx`. */
  accept?: string;
}

/** One file. */
export function FileField<V extends object>({ form, name, label, description, accept }: FileFieldProps<V>) {
  return (
    <FileInput
      name={name}
      label={label}
      description={description}
      accept={accept}
      problem={form.problem(name)}
      required={form.limits(name).isRequired}
      onPick={(file) => form.set(name, file)}
    />
  );
}

interface PickerFieldProps<V extends object> {
  form: CallForm<V>;
  name: FieldName<V, string | null>;
  description?: string;
  /** Draws the picker of a noun, which gets these properties. */
  children: (props: {
    value: string | null;
    onChange: (value: string | null) => void;
    isInvalid: boolean;
  }) => ReactNode;
}

/** One thing of many, found by name. */
export function PickerField<V extends object>({ form, name, description, children }: PickerFieldProps<V>) {
  const value = valueAt(form.values, name);
  const problem = form.problem(name);
  return (
    <div className={styles.picker}>
      {children({
        value: typeof value === 'string' && value !== '' ? value : null,
        onChange: (next) => form.set(name, next),
        isInvalid: problem !== undefined,
      })}
      {description !== undefined && <p className={styles.hint}>{description}</p>}
      {problem !== undefined && <Input.Error>{problem}</Input.Error>}
    </div>
  );
}
