import { SecretField, TextField } from '../kit/form/text-fields.tsx';
import type { CallForm } from '../kit/form/use-call-form.ts';
import type { SourceForm } from './source-draft.ts';
import type { SettingField as Setting } from './sources.data.ts';

const SECRET_PLACEHOLDERS = {
  new: undefined,
  stored: 'Unchanged',
  'required-again': 'Enter it again for the new address',
} as const;

interface SettingFieldProps {
  form: CallForm<SourceForm>;
  field: Setting;
  /** Whether the server has a value of secrets, which it does not show, or forgets it because the address is another. */
  secret: keyof typeof SECRET_PLACEHOLDERS;
}

/** One setting of a console. Secrets can be written and never read again. */
export function SettingField({ form, field, secret }: SettingFieldProps) {
  const { label, hint, kind, isRequired } = field;
  const common = { form, name: `settings.${field.name}`, label, description: hint } as const;
  if (kind !== 'secret') return <TextField {...common} type={kind === 'url' ? 'url' : 'text'} required={isRequired} />;
  const isStored = secret === 'stored' && form.values.settings[field.name] === '';
  const placeholder = SECRET_PLACEHOLDERS[secret];
  return (
    <SecretField
      {...common}
      required={isRequired && !isStored}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  );
}
