import { type RunningTenant, startTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { CommandLine } from './command-line.ts';

export interface TenantCommandLine {
  tenant: RunningTenant;
  database: TestDatabase;
  commandLine: CommandLine;
  close(): Promise<void>;
}

/** A small tenant, a database of its own, and the command line in a folder that knows both. */
export async function openTenantCommandLine(options: { latencyMs?: number } = {}): Promise<TenantCommandLine> {
  const tenant = await startTenant({ size: 'small', budgets: false, ...options });
  const database = await createTestDatabase();
  const commandLine = await CommandLine.open({ DATABASE_URL: database.url });
  const { clientId, clientSecret } = tenant.application;
  await commandLine.writeTenant(tenant, { clientId, secret: clientSecret });
  return {
    tenant,
    database,
    commandLine,
    async close() {
      await commandLine.close();
      await database.drop();
      await tenant.stop();
    },
  };
}
