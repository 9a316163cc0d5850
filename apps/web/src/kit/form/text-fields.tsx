import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { PasswordInput } from '../password-input.tsx';
import { rangeText } from './body-schema.ts';
import { type FieldWords, textProps } from './field.ts';
import type { FieldName } from './field-name.ts';
import type { CallForm } from './use-call-form.ts';

interface FieldProps<V extends object> extends FieldWords {
  form: CallForm<V>;
  name: FieldName<V, string>;
}

type Look = Pick<TextInputProps, 'size' | 'autoComplete' | 'placeholder' | 'required' | 'ref'>;

interface TextFieldProps<V extends object> extends FieldProps<V>, Look {
  /** Chooses the keyboard of a phone. What is valid the contract says. */
  type?: 'text' | 'email' | 'tel' | 'url';
}

/** One line of text. */
export function TextField<V extends object>({ form, name, type = 'text', isFocused, ...look }: TextFieldProps<V>) {
  const isAddress = type === 'url';
  return (
    <TextInput
      autoComplete="off"
      type={isAddress ? 'text' : type}
      {...(isAddress ? { inputMode: 'url', autoCapitalize: 'none', spellCheck: false } : {})}
      {...textProps(form, name, { isFocused: isFocused === true })}
      {...look}
    />
  );
}

interface TextAreaFieldProps<V extends object> extends FieldProps<V> {
  rows?: number;
  placeholder?: string;
  required?: boolean;
}

/** A text of several lines. */
export function TextAreaField<V extends object>({ form, name, isFocused, ...look }: TextAreaFieldProps<V>) {
  return <Textarea autosize={false} rows={3} {...textProps(form, name, { isFocused: isFocused === true })} {...look} />;
}

interface NumberFieldProps<V extends object> extends FieldProps<V> {
  /** Within a sentence: `minutes`. */
  unit?: string;
  /** The body has a value of its own for it, which is not to be left out here. */
  required?: boolean;
  /** Bounds that are not the contract's. */
  min?: number | undefined;
  max?: number | undefined;
}

/** A number within the contract's bounds. What is out of them is said while it is typed. */
export function NumberField<V extends object>({
  form,
  name,
  unit,
  required,
  isFocused,
  min = form.limits(name).min,
  max = form.limits(name).max,
  ...words
}: NumberFieldProps<V>) {
  const props = textProps(form, name, { isFocused: isFocused === true });
  const number = Number(props.value);
  const isWhole = /^-?\d+$/.test(props.value);
  const isWithin = isWhole && number >= (min ?? number) && number <= (max ?? number);
  return (
    <TextInput
      {...words}
      {...props}
      autoComplete="off"
      inputMode="numeric"
      {...(max === undefined ? {} : { maxLength: String(max).length })}
      {...(required === undefined ? {} : { required })}
      error={isWithin || (props.value === '' && required !== true) ? props.error : rangeText({ min, max }, unit)}
    />
  );
}

/** A password, with a button that shows it. */
export function PasswordField<V extends object>({ form, name, isFocused, ...look }: FieldProps<V> & Look) {
  assertSecret(form, name);
  return <PasswordInput {...textProps(form, name, { isFocused: isFocused === true })} {...look} />;
}

/** A key of another system: it can be written, and never read again. */
export function SecretField<V extends object>({ form, name, isFocused, ...look }: FieldProps<V> & Look) {
  assertSecret(form, name);
  return (
    <TextInput
      type="password"
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      {...textProps(form, name, { isFocused: isFocused === true })}
      {...look}
    />
  );
}

function assertSecret<V extends object>(form: CallForm<V>, name: string): void {
  if (!form.secrets.includes(name)) throw new Error(`Name "${name}" in the "secrets" of its form.`);
}
