import { isObject, objectsOf, textOf, valueAt } from '../wire/json.ts';

/** What a client needs to know of a tenant. */
export interface TenantAddress {
  loginUrl: string;
  graphUrl: string;
  tenantId: string;
  application: { clientId: string; clientSecret: string };
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; `undefined` for what is none. */
  body: unknown;
  bytes: Buffer;
}

/** Sends a form to the identity platform. */
export async function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  return read(await fetch(url, { method: 'POST', body: new URLSearchParams(fields) }));
}

/** A token for the tenant's application, by its secret. */
export async function tokenOf(address: TenantAddress): Promise<string> {
  const { body } = await postForm(`${address.loginUrl}/${address.tenantId}/oauth2/v2.0/token`, {
    grant_type: 'client_credentials',
    client_id: address.application.clientId,
    client_secret: address.application.clientSecret,
    scope: 'https://graph.microsoft.com/.default',
  });
  const token = textOf(valueAt(body, 'access_token'));
  if (token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`);
  return token;
}

/** A client of one application of one tenant, as thin as can be. */
export class TenantClient {
  readonly address: TenantAddress;
  readonly token: string;

  constructor(address: TenantAddress, token: string) {
    this.address = address;
    this.token = token;
  }

  static async signIn(address: TenantAddress): Promise<TenantClient> {
    return new TenantClient(address, await tokenOf(address));
  }

  /** Objects are sent as JSON, bytes and texts as they are; `path` is below the version, or a whole link. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await fetch(path.startsWith('http') ? path : `${this.address.graphUrl}/v1.0${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bytesOf(body) }),
      redirect: 'manual',
    });
    return read(response);
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.ask('GET', path, undefined, headers);
  }

  /** All entities over all pages, and the delta link where there is one. */
  async drain(path: string, headers?: Record<string, string>) {
    const value: Record<string, unknown>[] = [];
    let pages = 0;
    for (let next: string | undefined = path; next; pages += 1) {
      const { status, body } = await this.get(next, headers);
      if (status !== 200) throw new Error(`${next} answered ${status}: ${JSON.stringify(body)}`);
      value.push(...objectsOf(valueAt(body, 'value')));
      next = isObject(body) ? textOf(body['@odata.nextLink']) : undefined;
      if (!next)
        return { value, pages: pages + 1, deltaLink: isObject(body) ? textOf(body['@odata.deltaLink']) : undefined };
    }
    throw new Error('There is no first page');
  }
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
}

async function read(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined;
  return { status: response.status, headers: response.headers, body, bytes };
}
