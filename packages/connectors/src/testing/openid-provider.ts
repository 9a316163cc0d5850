import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientMetadata, Provider } from 'oidc-provider';

/** What a person is said to be: the claims of the tokens, and how that was proved. */
export interface OpenIdPerson {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  groups?: unknown;
  amr?: string[];
  [claim: string]: unknown;
}

type Json = Record<string, unknown>;

/** A provider of OpenID Connect on this machine: a certified one, in which the person has signed in already. */
export interface OpenIdProvider {
  issuer: string;
  /** Who signs in next. */
  person: OpenIdPerson;
  /** What it changes in its discovery document and in the claims that it signs, if it is to be one that cannot be trusted. */
  forged: { discovery?: (document: Json) => Json; claims?: (claims: Json) => Json };
  /** Another key than the one that it publishes signs the tokens. */
  signsWithOtherKey: boolean;
  /** Paths that were asked for. */
  asked: string[];
  /** What a browser does there: gives the address at which it comes back. */
  signIn(address: string): Promise<URL>;
  /** The same when the person who has signed in last signs out there, and says yes. */
  signOut(address: string): Promise<URL>;
  settings(given?: Record<string, string>): Record<string, string>;
  stop(): Promise<void>;
}

/** The registration of the portal. */
function clientWith(redirectAddresses: string[], signedOutAddresses: string[]): ClientMetadata {
  return {
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    redirect_uris: redirectAddresses,
    post_logout_redirect_uris: signedOutAddresses,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_post',
  };
}

const CLIENT = { clientId: 'keepwatch', clientSecret: 'a secret of the client' };

/** @param inUserInfo it says who the person is at its userinfo endpoint alone */
export async function startOpenIdProvider({
  redirectAddresses,
  signedOutAddresses = [],
  inUserInfo = false,
}: {
  redirectAddresses: string[];
  /** Where browsers may come back after they have signed out. */
  signedOutAddresses?: string[];
  inUserInfo?: boolean;
}): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const state: Pick<OpenIdProvider, 'person' | 'forged' | 'signsWithOtherKey' | 'asked'> = {
    person: { sub: 'person-0' },
    forged: {},
    signsWithOtherKey: false,
    asked: [],
  };
  const provider = new Provider(issuer, {
    clients: [clientWith(redirectAddresses, signedOutAddresses)],
    cookies: { keys: ['a key of the cookies'] },
    jwks: { keys: [{ ...own.export({ format: 'jwk' }), kty: 'RSA', kid: 'own', alg: 'RS256', use: 'sig' }] },
    conformIdTokenClaims: inUserInfo,
    claims: { openid: ['sub', 'amr', 'name', 'preferred_username', 'email', 'email_verified', 'groups'] },
    // Only so that it does not remind of its defaults.
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    scopes: ['openid', 'profile', 'email'],
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: async (context, form) => {
          context.body = form;
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...state.person, sub: accountId }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? '',
        clientId: oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    state.asked.push(context.path);
    if (context.path.startsWith('/interaction/')) {
      const { sub: accountId, amr } = state.person;
      const login = amr === undefined ? { accountId } : { accountId, amr };
      context.respond = false;
      return provider.interactionFinished(context.req, context.res, { login });
    }
    await next();
    const body: unknown = context.body;
    if (!isObject(body)) return;
    if (context.path.endsWith('/openid-configuration')) context.body = state.forged.discovery?.(body) ?? body;
    const isForged = state.forged.claims !== undefined || state.signsWithOtherKey;
    if (isForged && typeof body['id_token'] === 'string')
      context.body = { ...body, id_token: signedAgain(body['id_token'], state, state.signsWithOtherKey ? other : own) };
  });
  server.on('request', provider.callback());
  let browser = new Map<string, string>();
  return Object.assign(state, {
    issuer,
    signIn: (address: string) => {
      browser = new Map();
      return follow(new URL(address), issuer, browser);
    },
    signOut: (address: string) => follow(new URL(address), issuer, browser),
    settings: (given: Record<string, string> = {}) => ({ issuer, ...CLIENT, createsUsers: 'true', ...given }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** The token with other claims, signed as if they were true. */
function signedAgain(token: string, { forged }: Pick<OpenIdProvider, 'forged'>, key: KeyObject): string {
  const [header = '', payload = ''] = token.split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const changed = isObject(claims) ? (forged.claims?.(claims) ?? claims) : claims;
  const signed = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
}

/** Follows redirects as a browser does, with its cookies, and says yes to what it is asked, until one leads elsewhere. */
async function follow(address: URL, issuer: string, cookies: Map<string, string>): Promise<URL> {
  let at = address;
  let form: URLSearchParams | null = null;
  while (at.origin === issuer) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent: RequestInit = form === null ? {} : { method: 'POST', body: form };
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const next = reply.headers.get('location');
    const page = next === null ? await reply.text() : '';
    const asked = /action="([^"]+)".* name="xsrf" value="([^"]+)"/.exec(page);
    if (next === null && asked === null)
      throw new Error(`${at.pathname} answered ${reply.status}: ${page.slice(0, 300)}`);
    form = asked === null ? null : new URLSearchParams({ xsrf: asked[2] ?? '', logout: 'yes' });
    at = new URL(next ?? asked?.[1] ?? '', at);
  }
  return at;
}
