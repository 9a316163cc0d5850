import type { OpenIdProvider } from '@keepwatch/connectors/testing/openid-provider';
import { beginSingleSignOn, finishSingleSignOn } from '@keepwatch/contract/identity/single-sign-on';
import type { TestPortal } from '../../../testing/test-portal.ts';

/** A browser at the sign-in page of a brand, with cookies. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Further headers, as a hostile caller sends them. */
  headers: Record<string, string> = {};
  readonly #portal: TestPortal;
  readonly #host: string;

  constructor(portal: TestPortal, host = 'portal.test') {
    this.#portal = portal;
    this.#host = host;
  }

  begin(id: string): Promise<Response> {
    return this.#post(beginSingleSignOn.path.replace('{id}', id));
  }

  finish(query: string): Promise<Response> {
    return this.#post(finishSingleSignOn.path, { query });
  }

  /** The address at which it signs in. */
  async addressAt(id: string): Promise<string> {
    const reply = await (await this.begin(id)).json();
    return reply.data.address;
  }

  /** Signs in there, and gives what follows the `?` of the address at which it comes back. */
  async comeBack(id: string, provider: OpenIdProvider): Promise<string> {
    return (await provider.signIn(await this.addressAt(id))).search.slice(1);
  }

  /** The whole sign-in: status and body of its end. */
  async signIn(id: string, provider: OpenIdProvider) {
    const answered = await this.finish(await this.comeBack(id, provider));
    return { status: answered.status, ...(await answered.json()) };
  }

  async #post(path: string, body?: object): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'x-forwarded-host': this.#host, ...this.headers };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const reply = await this.#portal.anonymous.raw('POST', `/api${path}`, {
      headers: { ...headers, ...type },
      ...sent,
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      this.cookies.set(name, value);
    }
    return reply;
  }
}
