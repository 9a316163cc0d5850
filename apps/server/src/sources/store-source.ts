import type { SettingField } from '@keepwatch/connectors/ports/manifest';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { type SourceSettings, sealSettings } from './source-settings.ts';

export interface KeptSource {
  providerId: number;
  id: string;
  kind: string;
  name: string;
  settings: SourceSettings;
  syncIntervalMinutes: number;
}

/**
 * Connects a source that the program itself provides, such as the sandbox of the demonstration, whose address changes at every
 * start. Creates it the first time and updates its settings later, also if it was disconnected meanwhile. Sources of users go
 * through the calls, which test them first.
 */
export async function storeSource(
  connection: Connection,
  box: SecretBox,
  fields: readonly SettingField[],
  source: KeptSource,
): Promise<void> {
  const { settings, secrets } = sealSettings(box, source, fields, source.settings);
  await execute(
    connection,
    sql`insert into sources (provider_id, id, kind, name, settings, secrets, sync_interval_minutes)
        values (${source.providerId}, ${source.id}, ${source.kind}, ${source.name}, ${JSON.stringify(settings)}, ${secrets}, ${source.syncIntervalMinutes})
        on conflict (provider_id, id) do update set settings = excluded.settings, secrets = excluded.secrets, deleted_at = null`,
  );
}
