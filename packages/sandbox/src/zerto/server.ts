import { randomBytes, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { listenLocally } from '../listening.ts';
import { uid } from '../world/random.ts';
import { buildWorld, type World } from '../world/world.ts';

export interface RunningZertoSandbox {
  url: string;
  /** Where the Self-Service Portal would be. */
  portalUrl: string;
  clientId: string;
  clientSecret: string;
  /** What sessions of the Self-Service Portal were asked for. */
  sessions(): readonly Session[];
  /** Every access token ends at once. */
  endTokens(): void;
  /** From now on the appliance names pages at another address than the one it was asked for. */
  lead(elsewhere: string): void;
  stop(): Promise<void>;
}

interface Session {
  zsspSessionIdentifier: string;
  zorgIdentifier: string;
  zsspAddress: string;
}

const KNOWN = ['zorgIdentifier', 'zsspAddress', 'logoutRedirectUrl', 'zorgUserName'];

/** Starts an appliance with an organization (ZORG) for each company of the world. */
export async function startZertoSandbox({ companyCount = 4 } = {}): Promise<RunningZertoSandbox> {
  const world = buildWorld(1, companyCount);
  const portalUrl = 'https://zssp.keystone.example:9779/';
  const [clientId, clientSecret] = ['keepwatch', 'sandbox-appliance'];
  const tokens = new Set<string>();
  const sessions: Session[] = [];
  let leadsTo: string | null = null;
  const app = Fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addHook('onRequest', (request, reply, done) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (request.url.startsWith('/v1/') && !tokens.has(token)) return reply.code(401).send();
    done();
  });
  app.post('/auth/realms/zerto/protocol/openid-connect/token', ({ body }, reply) => {
    const form = fieldsOf(body);
    const isClient = form.client_id === clientId && form.client_secret === clientSecret;
    if (form.grant_type !== 'client_credentials' || !isClient)
      return reply
        .code(401)
        .send({ error: 'unauthorized_client', error_description: 'Invalid client or Invalid client credentials' });
    const token = randomBytes(32).toString('base64url');
    tokens.add(token);
    return { access_token: token, expires_in: 300, token_type: 'Bearer' };
  });
  app.get('/v1/localsite', () => ({ siteName: world.provider.name, version: '10.0.60' }));
  app.get('/v1/zorgs', () => zorgsOf(world));
  app.post('/v1/zsspsessions', ({ body }, reply) => {
    const given = fieldsOf(body);
    const { zorgIdentifier, zsspAddress } = given;
    const isKnown = Object.keys(given).every((name) => KNOWN.includes(name));
    const zorg = zorgsOf(world).find(({ link }) => link.identifier === zorgIdentifier);
    if (!isKnown || zorg === undefined || typeof zorgIdentifier !== 'string' || typeof zsspAddress !== 'string')
      return reply.code(400).send();
    const session = { zsspSessionIdentifier: randomUUID(), zorgIdentifier, zsspAddress };
    sessions.push(session);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(session.zsspSessionIdentifier));
  });
  app.get('/v1/zsspsessions', () =>
    sessions.map((session) => ({
      ...session,
      url: new URL(`?sessionId=${session.zsspSessionIdentifier}`, leadsTo ?? session.zsspAddress).href,
    })),
  );
  const url = await listenLocally(app);
  return {
    url,
    portalUrl,
    clientId,
    clientSecret,
    sessions: () => sessions,
    endTokens: () => tokens.clear(),
    lead: (elsewhere) => {
      leadsTo = elsewhere;
    },
    stop: () => app.close(),
  };
}

/** The organizations, as the description has them. */
export function zorgsOf(world: World) {
  return world.companies.map(({ id, name }) => ({
    link: { rel: 'self', href: null, type: 'ZorgApi', identifier: uid(id, 350) },
    zorgName: name,
  }));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
