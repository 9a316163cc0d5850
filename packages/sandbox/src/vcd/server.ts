import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { listenLocally } from '../listening.ts';
import { uid } from '../world/random.ts';
import { buildWorld, type World } from '../world/world.ts';

export interface RunningVcdSandbox {
  url: string;
  username: string;
  password: string;
  /** Every access token ends at once, as after an idle time. */
  endTokens(): void;
  stop(): Promise<void>;
}

const BASE = '/cloudapi/1.0.0';
const PAGE_SIZE_MAX = 128;

/** Starts a Cloud Director with an organization for each company of the world, one owner in each and one administrator of the provider. */
export async function startVcdSandbox({ companyCount = 4 } = {}): Promise<RunningVcdSandbox> {
  const world = buildWorld(1, companyCount);
  const [username, password] = ['administrator', 'sandbox-director'];
  const tokens = new Set<string>();
  const app = Fastify({ forceCloseConnections: true });
  app.addHook('onRequest', (request, reply, done) => {
    if (!accepts(request)) return refuse(reply, 406, 'NOT_ACCEPTABLE', 'The request has invalid accept header.');
    const isSignIn = request.method === 'POST' && request.url === `${BASE}/sessions/provider`;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!isSignIn && !tokens.has(token)) return refuse(reply, 401, 'UNAUTHORIZED', 'The session is not valid.');
    done();
  });
  app.post(`${BASE}/sessions/provider`, (request, reply) => {
    const pair = Buffer.from(`${username}@System:${password}`).toString('base64');
    if (request.headers.authorization !== `Basic ${pair}`) return reply.code(401).send();
    const token = randomBytes(32).toString('base64url');
    tokens.add(token);
    return reply.header('x-vmware-vcloud-access-token', token).send(toSession(world));
  });
  app.get<{ Querystring: { page?: string; pageSize?: string } }>(`${BASE}/orgs`, ({ query }, reply) => {
    const [page, pageSize] = [Number(query.page), Number(query.pageSize)];
    if (!(page >= 1) || !(pageSize >= 1 && pageSize <= PAGE_SIZE_MAX))
      return refuse(reply, 400, 'BAD_REQUEST', `page and pageSize are required; pageSize is at most ${PAGE_SIZE_MAX}.`);
    return toOrgs(world, page, pageSize);
  });
  app.get<{ Params: { urn: string } }>(`${BASE}/users/:urn`, ({ params: { urn } }, reply) => {
    const user = usersOf(world).find(({ id }) => id === urn);
    // As the description has it, what is not there is answered as what is not allowed.
    return (
      user ??
      refuse(reply, 403, 'ACCESS_TO_RESOURCE_IS_FORBIDDEN', `[ ${urn} ] Either you need some or all of the rights.`)
    );
  });
  const url = await listenLocally(app);
  return { url, username, password, endTokens: () => tokens.clear(), stop: () => app.close() };
}

function accepts({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('version=37.2');
}

function refuse(reply: FastifyReply, status: number, minorErrorCode: string, message: string): FastifyReply {
  return reply.code(status).send({ minorErrorCode, message, stackTrace: 'com.vmware.vcloud.Refused' });
}

const reference = (kind: string, name: string, id: string) => ({ name, id: `urn:vcloud:${kind}:${id}` });
const systemOf = (world: World) => reference('org', 'System', uid(world.seed, 340));

function toSession(world: World) {
  return {
    id: `urn:vcloud:session:${uid(world.seed, 341)}`,
    user: reference('user', 'administrator', uid(world.seed, 342)),
    org: systemOf(world),
    location: 'us-sandbox',
    roles: ['System Administrator'],
    roleRefs: [reference('role', 'System Administrator', uid(world.seed, 343))],
    sessionIdleTimeoutMinutes: 30,
  };
}

/** The organizations, that of the provider among them, by name. */
export function orgsOf(world: World) {
  const { id, name } = systemOf(world);
  const system = { id, name, displayName: 'System Organization', description: '', isEnabled: true };
  const tenants = world.companies.map(({ id: company, slug, name: displayName, isActive }) => ({
    id: `urn:vcloud:org:${uid(company, 344)}`,
    name: slug,
    displayName,
    description: '',
    isEnabled: isActive,
  }));
  return [system, ...tenants].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function toOrgs(world: World, page: number, pageSize: number) {
  const all = orgsOf(world);
  const values = all.slice((page - 1) * pageSize, page * pageSize);
  return { resultTotal: all.length, pageCount: Math.ceil(all.length / pageSize), page, pageSize, values };
}

/** Of each organization a person, in those of companies one who may no longer sign in beside. */
export function usersOf(world: World) {
  return orgsOf(world).flatMap(({ id, name }, place) => {
    const people = name === 'System' ? ['administrator'] : ['owner', 'former'];
    return people.map((username, index) => ({
      id: `urn:vcloud:user:${uid(world.seed, 345, place, index)}`,
      username,
      fullName: '',
      enabled: username !== 'former',
      roleEntityRefs: [reference('role', 'Organization Administrator', uid(world.seed, 346))],
      orgEntityRef: { name, id },
    }));
  });
}
