/** The clouds Microsoft runs Graph in. */
export type Cloud = 'worldwide' | 'usgov' | 'dod' | 'china';

/** Where to sign in and where Graph answers; https://learn.microsoft.com/graph/deployments */
export const CLOUDS: Readonly<Record<Cloud, { loginUrl: string; graphUrl: string }>> = {
  worldwide: { loginUrl: 'https://login.microsoftonline.com', graphUrl: 'https://graph.microsoft.com' },
  usgov: { loginUrl: 'https://login.microsoftonline.us', graphUrl: 'https://graph.microsoft.us' },
  dod: { loginUrl: 'https://login.microsoftonline.us', graphUrl: 'https://dod-graph.microsoft.us' },
  china: { loginUrl: 'https://login.chinacloudapi.cn', graphUrl: 'https://microsoftgraph.chinacloudapi.cn' },
};
