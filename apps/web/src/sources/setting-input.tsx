import { TextInput } from '@mantine/core';
import type { SettingField } from './sources.data.ts';

const SECRET_PLACEHOLDERS = {
  new: undefined,
  stored: 'Unchanged',
  'required-again': 'Enter it again for the new address',
} as const;

interface SettingInputProps {
  field: SettingField;
  /** `undefined`: a secret that is not touched. */
  value: string | undefined;
  /** Whether the server has a value of secrets, which it does not show, or forgets it because the address is another. */
  secret: keyof typeof SECRET_PLACEHOLDERS;
  error: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** One setting of a console. Secrets can be written and never read again. */
export function SettingInput({ field, value, secret, error, onChange }: SettingInputProps) {
  const { name, label, hint, kind, isRequired } = field;
  const isSecret = kind === 'secret';
  const isStored = isSecret && secret === 'stored' && value === undefined;
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
      required={isRequired && !isStored}
      maxLength={4_000}
      placeholder={isSecret ? SECRET_PLACEHOLDERS[secret] : undefined}
      value={value ?? ''}
      error={error}
      onChange={(event) =>
        onChange(isSecret && event.currentTarget.value === '' ? undefined : event.currentTarget.value)
      }
    />
  );
}
