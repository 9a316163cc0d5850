import { TextInput } from '@mantine/core';
import type { SettingField } from './sources.data.ts';

interface SettingInputProps {
  field: SettingField;
  /** `undefined`: a secret that is not touched. */
  value: string | undefined;
  /** Whether the server keeps an earlier value, which a secret does not show. */
  isKept: boolean;
  error: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** One setting of a console. Secrets can be written and never read again. */
export function SettingInput({ field, value, isKept, error, onChange }: SettingInputProps) {
  const { name, label, hint, kind, isRequired } = field;
  const isSecret = kind === 'secret';
  const isUntouched = isSecret && isKept && value === undefined;
  return (
    <TextInput
      name={name}
      label={label}
      descriptionProps={{ size: 'md' }}
      description={hint}
      type={isSecret ? 'password' : 'text'}
      inputMode={kind === 'url' ? 'url' : undefined}
      autoComplete={isSecret ? 'new-password' : 'off'}
      autoCapitalize="none"
      spellCheck={false}
      required={isRequired && !isUntouched}
      maxLength={4_000}
      placeholder={isUntouched ? 'Unchanged' : undefined}
      value={value ?? ''}
      error={error}
      onChange={(event) =>
        onChange(isSecret && event.currentTarget.value === '' ? undefined : event.currentTarget.value)
      }
    />
  );
}
