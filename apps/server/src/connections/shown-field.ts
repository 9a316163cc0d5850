import type { SettingField } from '@keepwatch/connectors/base/setting-field';
import type { SettingField as ShownField } from '@keepwatch/contract/connections/connections';

/** A field of a manifest as it leaves. */
export function shownField(field: SettingField): ShownField {
  return field.kind === 'choice' ? { ...field, options: [...field.options] } : field;
}
