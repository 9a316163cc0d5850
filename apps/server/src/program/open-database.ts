import { openPool, type Pool } from '../foundation/database.ts';
import type { Log } from '../foundation/log.ts';
import type { Settings } from '../foundation/settings.ts';

/** The database of a role: a statement of the api is given up sooner than one of the worker. */
export function openDatabase(settings: Settings, log: Log, role: 'api' | 'worker'): Pool {
  return openPool(settings.DATABASE_URL, {
    connectionsMax: role === 'api' ? 26 : 6,
    statementTimeoutMs: role === 'api' ? 20_000 : 300_000,
    name: `keepwatch ${role}`,
    onLost: (error) => log.warn({ reason: error.message }, 'a connection to the database was lost'),
  });
}
