import type { Microsoft365Engine } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { EngineKind } from '@keepwatch/contract/microsoft365/engines';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';
import { BuiltInEngine, type BuiltInServices } from './built-in-engine.ts';

/**
 * Opens the engine that an organization remembers; it reads the portal's own tables by the connection that is given.
 * @throws Refusal 404; 409 for an engine that has no adapter
 */
export type OpenEngine = (
  connection: Connection,
  organization: OrganizationKey,
) => Promise<Microsoft365Engine<Connection>>;

/** Opens engines with what the program has. */
export function engineOpener(services: Omit<BuiltInServices, 'database'>): OpenEngine {
  return async (connection, organization) => {
    const kind = await kindOf(connection, organization);
    if (kind === 'built-in') return new BuiltInEngine({ ...services, database: connection }, organization);
    throw new Refusal(409, 'NOT_SUPPORTED', NO_ADAPTER);
  };
}

const NO_ADAPTER =
  'This organization is backed up by a Veeam server, which this version does not reach. Do it at that server.';

async function kindOf(connection: Connection, { providerId, id }: OrganizationKey): Promise<EngineKind> {
  const found = await row<{ engine: EngineKind }>(
    connection,
    sql`select o.engine from m365_organizations o where o.provider_id = ${providerId} and o.id = ${id}`,
  );
  if (found === null) throw notFound('organization');
  return found.engine;
}
