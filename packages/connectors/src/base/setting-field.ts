/** Values by the names of their fields, as text: a flag is `true` or `false`, a number decimal digits, a file its content. */
export type Settings = Readonly<Record<string, string>>;

interface Field {
  name: string;
  label: string;
  hint: string;
  isRequired: boolean;
}

/**
 * One field of a connector's settings form. A stored `secret` or `file` is encrypted and never leaves the server again: what is
 * uploaded is a key, a certificate or the credentials of an account. It is used for the values of the `url` fields that it was
 * entered with, and for no other.
 */
export type SettingField =
  | (Field & { kind: 'text' | 'url' | 'secret' | 'flag' })
  | (Field & { kind: 'choice'; options: readonly SettingOption[] })
  | (Field & { kind: 'number'; min: number; max: number })
  /** A text file of at most 20,000 characters; `accept` as in HTML: `.pem,.json`. */
  | (Field & { kind: 'file'; accept: string });

export interface SettingOption {
  value: string;
  label: string;
}

/** Whether a field's value is encrypted at rest and never shown. */
export function isSealed({ kind }: Pick<SettingField, 'kind'>): boolean {
  return kind === 'secret' || kind === 'file';
}
