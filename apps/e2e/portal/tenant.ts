/** The sandbox's tenant as Microsoft shows it to an application: what was restored is looked for there. */
export interface Tenant {
  url: string;
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  remove(path: string): Promise<void>;
  /** The objects of a list. */
  list(path: string): Promise<Found[]>;
}

/** What a journey looks at of an object of Microsoft Graph. */
export interface Found {
  id: string;
  displayName?: string;
  userPrincipalName?: string;
  name?: string;
  subject?: string;
  body?: { content: string };
  fields?: Record<string, unknown>;
  folder?: object;
  list?: { template: string };
}

interface Access {
  tenantId: string;
  application: { clientId: string; clientSecret: string };
}

/** Signs in with the application of the first tenant, which the sandbox names to this machine alone. */
export async function openTenant(url: string): Promise<Tenant> {
  const { tenants } = (await answerOf(await fetch(`${url}/__sandbox`))) as { tenants: [Access] };
  const [{ tenantId, application }] = tenants;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: application.clientId,
    client_secret: application.clientSecret,
    scope: 'https://graph.microsoft.com/.default',
  });
  const granted = await fetch(`${url}/${tenantId}/oauth2/v2.0/token`, { method: 'POST', body });
  const { access_token: token } = (await answerOf(granted)) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit = {}) =>
    answerOf(await fetch(`${url}/v1.0${path}`, { ...init, headers }));
  return {
    url,
    get: ask,
    post: (path, content) => ask(path, { method: 'POST', body: JSON.stringify(content) }),
    remove: async (path) => void (await ask(path, { method: 'DELETE' })),
    list: async (path) => ((await ask(path)) as { value: Found[] }).value,
  };
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The tenant answered ${response.status} to ${response.url}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
