import { isSealed, type SettingField, type Settings } from '@keepwatch/connectors/base/setting-field';
import { type FieldError, invalid } from '../foundation/errors.ts';

/**
 * Completes the given settings with the stored secrets. Throws 422, by field, for a setting that the connector does not have, a
 * missing required one, and a value that its kind of field cannot have. What an address or a text may hold says the connector.
 */
export function completeSettings(
  fields: readonly SettingField[],
  given: Settings,
  stored: Settings | null,
): Record<string, string> {
  const errors: FieldError[] = [];
  const refuse = (name: string, message: string) => errors.push({ path: `body.settings.${name}`, message });
  for (const name of Object.keys(given))
    if (!fields.some((field) => field.name === name)) refuse(name, 'is no setting of this kind of connection');
  const complete: Record<string, string> = {};
  for (const field of fields) {
    const value = given[field.name] ?? '';
    const completed = value === '' && isSealed(field) ? (stored?.[field.name] ?? '') : value;
    const refusal = refusalOf(field, completed);
    if (refusal !== null) refuse(field.name, refusal);
    complete[field.name] = completed;
  }
  if (errors.length > 0) throw invalid(errors);
  return complete;
}

/** Why a field cannot have a value; `null` if it can. Empty is no value, which an optional field may have. */
function refusalOf(field: SettingField, value: string): string | null {
  const { label } = field;
  if (value === '') return field.isRequired ? `${label} is required.` : null;
  switch (field.kind) {
    case 'flag':
      return value === 'true' || value === 'false' ? null : `${label} must be true or false.`;
    case 'choice':
      return field.options.some((option) => option.value === value)
        ? null
        : `${label} must be one of ${field.options.map((option) => option.value).join(', ')}.`;
    case 'number':
      return isWholeNumber(value) && Number(value) >= field.min && Number(value) <= field.max
        ? null
        : `${label} must be a whole number from ${field.min} to ${field.max}.`;
    case 'text':
    case 'url':
    case 'secret':
    case 'file':
      return null;
  }
}

function isWholeNumber(text: string): boolean {
  return /^-?\d{1,15}$/.test(text);
}
