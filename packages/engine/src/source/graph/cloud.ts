/** The clouds Microsoft runs Graph in. */
export type Cloud = 'worldwide' | 'usgov' | 'dod' | 'china';

/** Where to sign in, where Graph answers, and what hosts of SharePoint end in; https://learn.microsoft.com/graph/deployments */
export const CLOUDS: Readonly<Record<Cloud, { loginUrl: string; graphUrl: string; sharePointDomain: string }>> = {
  worldwide: {
    loginUrl: 'https://login.microsoftonline.com',
    graphUrl: 'https://graph.microsoft.com',
    sharePointDomain: 'sharepoint.com',
  },
  usgov: {
    loginUrl: 'https://login.microsoftonline.us',
    graphUrl: 'https://graph.microsoft.us',
    sharePointDomain: 'sharepoint.us',
  },
  dod: {
    loginUrl: 'https://login.microsoftonline.us',
    graphUrl: 'https://dod-graph.microsoft.us',
    sharePointDomain: 'sharepoint-mil.us',
  },
  china: {
    loginUrl: 'https://login.chinacloudapi.cn',
    graphUrl: 'https://microsoftgraph.chinacloudapi.cn',
    sharePointDomain: 'sharepoint.cn',
  },
};
