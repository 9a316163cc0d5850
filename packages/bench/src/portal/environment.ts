import type { RunningTenant } from '@keepwatch/sandbox/microsoft365/server';
import type { Pool } from '@keepwatch/server/foundation/database';

/** What a benchmark of the portal has: a database, and a folder. */
export interface PortalBench {
  pool: Pool;
  databaseUrl: string;
  folder: string;
}

export const SECRET = 'the secret of the benchmark';

/** What a process of the product needs to reach the sandbox instead of Microsoft. */
export function environmentOf({ loginUrl, graphUrl, sharePointUrl }: RunningTenant): Record<string, string> {
  return {
    KEEPWATCH_SECRET: SECRET,
    ALLOW_PRIVATE_ADDRESSES: 'true',
    MICROSOFT_LOGIN_URL: loginUrl,
    MICROSOFT_GRAPH_URL: graphUrl,
    MICROSOFT_SHAREPOINT_URL: sharePointUrl,
  };
}
