import type { SettingField } from '@keepwatch/contract/connections/connections';
import { Checkbox } from '@mantine/core';
import { ChoiceField } from '../../kit/form/choice-fields.tsx';
import { valueAt } from '../../kit/form/field-name.ts';
import { NumberField, SecretField, TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import { SettingFile } from './setting-file.tsx';
import type { SettingsDraft, SettingWords } from './setting-words.ts';
import { isSealed, keepsSecrets, type Settings } from './settings-draft.ts';

interface SettingFieldsProps<V extends SettingsDraft> {
  form: CallForm<V>;
  kind: { settings: readonly SettingField[] };
  /** Of the connection that is changed; `null`: a new one. */
  stored: Settings | null;
}

/** The settings that a connector describes. */
export function SettingFields<V extends SettingsDraft>({ form, kind, stored }: SettingFieldsProps<V>) {
  const isStored = keepsSecrets(kind, form.values.settings, stored);
  const secret = stored === null ? 'new' : isStored ? 'stored' : 'required-again';
  return kind.settings.map((field) => (
    <Setting key={field.name} form={settingsOf(form)} field={field} secret={secret} />
  ));
}

/** The fields know the form's settings only. */
function settingsOf<V extends SettingsDraft>(form: CallForm<V>): CallForm<SettingsDraft> {
  return form;
}

const SECRET_PLACEHOLDERS = {
  new: undefined,
  stored: 'Unchanged',
  'required-again': 'Enter it again for the new address',
} as const;

interface SettingProps {
  form: CallForm<SettingsDraft>;
  field: SettingField;
  /** Whether the server has a value of secrets, which it does not show, or forgets it because the address is another. */
  secret: keyof typeof SECRET_PLACEHOLDERS;
}

/** One setting. Secrets and files can be written and never read again. */
function Setting({ form, field, secret }: SettingProps) {
  const { label, hint, kind } = field;
  const name = `settings.${field.name}` as const;
  const isStored = isSealed(field) && secret === 'stored' && form.values.settings[field.name] === '';
  const common = {
    form,
    name,
    label,
    description: hint === '' ? undefined : hint,
    required: field.isRequired && !isStored,
  };
  const placeholder = SECRET_PLACEHOLDERS[secret];
  switch (kind) {
    case 'text':
    case 'url':
      return <TextField {...common} type={kind} />;
    case 'secret':
      return <SecretField {...common} {...(placeholder === undefined ? {} : { placeholder })} />;
    case 'choice':
      return <ChoiceField {...common} choices={choicesOf(field)} />;
    case 'flag':
      return <SettingFlag {...common} />;
    case 'number':
      return <NumberField {...common} min={field.min} max={field.max} />;
    case 'file':
      return <SettingFile {...common} accept={field.accept} note={placeholder} />;
  }
}

/** A choice that is not required can be cleared. */
function choicesOf({ isRequired, options = [] }: SettingField) {
  return isRequired ? options : [{ value: '', label: 'Not set' }, ...options];
}

function SettingFlag({ form, name, required: _, ...words }: SettingWords) {
  return (
    <Checkbox
      {...words}
      name={name}
      checked={valueAt(form.values, name) === 'true'}
      error={form.problem(name)}
      onChange={(event) => form.set(name, String(event.currentTarget.checked))}
    />
  );
}
