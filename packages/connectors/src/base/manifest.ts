import type { ConnectorContext } from './connector-context.ts';
import type { SettingField, Settings } from './setting-field.ts';

/** What every port can do: show that its settings work. */
export interface Testable {
  /** Signs in and reads the version of what answers. Throws a `ConnectorError` whose kind says which setting is wrong. */
  test(signal: AbortSignal): Promise<{ version: string }>;
}

/** What a connector says of itself: enough to draw its settings form, to check what was entered into it and to open it. */
export interface Manifest<Port extends Testable> {
  /** The vendor's name in paths and filters, unique in its port: `vac`, `vcd`, `zerto`. */
  kind: string;
  label: string;
  settings: readonly SettingField[];
  /** Opens the vendor. Pure: no request is made before the first method is called. Throws a `ConnectorError` for settings that cannot be. */
  open(settings: Settings, context: ConnectorContext): Port;
}
