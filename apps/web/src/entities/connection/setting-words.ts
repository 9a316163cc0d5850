import type { CallForm } from '../../kit/form/use-call-form.ts';

/** A form with the settings of a connection; all values are text. */
export interface SettingsDraft {
  settings: Record<string, string>;
}

/** What the field of one setting says, and its form. */
export interface SettingWords {
  form: CallForm<SettingsDraft>;
  name: `settings.${string}`;
  label: string;
  description?: string | undefined;
  required: boolean;
}
