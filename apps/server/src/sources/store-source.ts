import type { SettingField, Settings } from '@keepwatch/connectors/base/setting-field';
import { type ConnectionKey, sealSettings } from '../connections/connection-settings.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
import type { Pool } from '../foundation/database.ts';
import { transaction } from '../foundation/database.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { findConsole, provideConsole } from './sources.ts';

export interface ProvidedSource extends ConnectionKey {
  kind: string;
  name: string;
  settings: Settings;
  syncIntervalMinutes: number;
}

/**
 * Connects a source that the program itself provides, such as the sandbox of the demonstration, whose address changes at every
 * start. Creates it the first time, also if it was disconnected meanwhile, and updates only its settings later. Sources of users
 * go through the calls, which test them first.
 */
export async function storeSource(
  database: Pool,
  box: SecretBox,
  fields: readonly SettingField[],
  source: ProvidedSource,
  at: Date,
): Promise<void> {
  const sealed = sealSettings(box, source, fields, source.settings);
  await transaction(database, async (connection) => {
    const stored = await findConsole(connection, source.providerId, source.id);
    await provideConsole(connection, { port: CONSOLE_PORT, isEnabled: true, ...source, ...stored, ...sealed }, at);
  });
}
