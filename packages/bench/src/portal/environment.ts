import type { RunningTenant } from '@keepwatch/sandbox/microsoft365/server';

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
