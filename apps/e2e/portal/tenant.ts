/** A tenant of the sandbox as Microsoft shows it to an application: what was restored is looked for there. */
export interface Tenant {
  domain: string;
  get<T = Found>(path: string): Promise<T>;
  /** The objects of a list. */
  list(path: string): Promise<Found[]>;
  post(path: string, body: object): Promise<Found>;
  put(path: string, content: string): Promise<Found>;
  remove(path: string): Promise<void>;
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
  parentFolderId?: string;
  messageType?: string;
  list?: { template: string };
}

interface Access {
  tenantId: string;
  domain: string;
  application: { clientId: string; clientSecret: string };
}

/** The tenants of a sandbox, with what it says of them to this machine alone. */
async function tenantsAt(url: string): Promise<Access[]> {
  return (await answerOf<{ tenants: Access[] }>(await fetch(`${url}/__sandbox`))).tenants;
}

/** The domain of a tenant: Contoso is the first, Fabrikam the second. */
export async function domainOf(url: string, number: number): Promise<string> {
  return ((await tenantsAt(url))[number] ?? missing(number)).domain;
}

function missing(number: number): never {
  throw new Error(`The sandbox has no tenant ${number}.`);
}

/** Signs in with the application of a tenant. */
export async function openTenant(url: string, number: number): Promise<Tenant> {
  const { tenantId, domain, application } = (await tenantsAt(url))[number] ?? missing(number);
  const grant = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: application.clientId,
    client_secret: application.clientSecret,
    scope: 'https://graph.microsoft.com/.default',
  });
  const granted = await fetch(`${url}/${tenantId}/oauth2/v2.0/token`, { method: 'POST', body: grant });
  const { access_token: token } = await answerOf<{ access_token: string }>(granted);
  const ask = async <T>(path: string, method: string, body?: string, type = 'application/json'): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) };
    return answerOf<T>(await fetch(`${url}/v1.0${path}`, { method, headers, ...(body === undefined ? {} : { body }) }));
  };
  return {
    domain,
    get: (path) => ask(path, 'GET'),
    list: async (path) => (await ask<{ value: Found[] }>(path, 'GET')).value,
    post: (path, content) => ask(path, 'POST', JSON.stringify(content)),
    put: (path, content) => ask(path, 'PUT', content, 'text/plain'),
    remove: (path) => ask(path, 'DELETE'),
  };
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The tenant answered ${response.status} to ${response.url}: ${text}`);
  return JSON.parse(text === '' ? 'null' : text);
}

/** People of names that no others have. */
export async function namedPeople(tenant: Tenant): Promise<Found[]> {
  const people = await tenant.list('/users');
  const names = people.map(({ displayName }) => displayName);
  return people.filter(({ displayName }) => names.indexOf(displayName) === names.lastIndexOf(displayName));
}

/** The first of some people who has all parts, such as an inbox. */
export async function firstWith(tenant: Tenant, people: readonly Found[], ...parts: readonly string[]): Promise<Found> {
  for (const found of people) {
    // Those who have none are refused.
    const all = parts.map((path) => tenant.get(`/users/${found.id}/${path}`));
    if (await Promise.all(all).catch(() => null)) return found;
  }
  throw new Error(`The tenant has no person of a name of their own with ${parts.join(' and ')}.`);
}
