import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { connectors as registry } from '@keepwatch/connectors/registry';
import type { Role } from '@keepwatch/contract/abilities';
import type { Call, CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { request, send } from '@keepwatch/contract/wire/client';
import type { CountryHeader } from '@keepwatch/contract/wire/country-headers';
import type { FastifyInstance } from 'fastify';
import { storeBrand } from '../branding/brands.ts';
import { createUser } from '../directory/users.ts';
import type { Pool } from '../foundation/database.ts';
import { givenSecret, type SecretSource } from '../foundation/installation-secret.ts';
import { type Log, openLog } from '../foundation/log.ts';
import { openMetrics } from '../foundation/metrics.ts';
import type { Queue, QueueFigures } from '../foundation/queue.ts';
import { secretBox } from '../foundation/secrets.ts';
import { openSession } from '../identity/sessions.ts';
import type { MicrosoftAddresses } from '../microsoft365/organizations/microsoft-place.ts';
import { openStoredRepositories, type StoredRepositories } from '../microsoft365/repositories/stored-repositories.ts';
import { composeServer } from '../program/compose.ts';
import { cheapHashOf } from './password-cost.ts';
import { createTestDatabase } from './test-database.ts';
import { TEST_NOW } from './test-now.ts';

export { TEST_NOW } from './test-now.ts';

const TEST_SECRET = givenSecret('secret of the tests');
/** What seals the secrets of a test. */
export const TEST_SECRETS = secretBox(TEST_SECRET.read);

/** Password of every user of a test. */
export const PASSWORD = 'correct horse battery staple';
const PASSWORD_HASH = cheapHashOf(PASSWORD);

/** The whole portal on a port of its own, over a database of its own, with a clock that the test moves. */
export interface TestPortal {
  url: string;
  database: Pool;
  databaseUrl: string;
  server: FastifyInstance;
  /** Jobs that were sent to the queue. */
  sent: { name: string; payload: unknown }[];
  clock: { now: Date };
  /** The repositories that its calls open. */
  stored: StoredRepositories;
  /** A caller that signed in as a new user with these roles. */
  as(roles: Role | readonly Role[], options?: { providerId?: number; companyIds?: readonly string[] }): Promise<Caller>;
  anonymous: Caller;
  /** A caller with a token that a test was given. */
  callerOf(who: Pick<Caller, 'userId' | 'username' | 'token'>): Caller;
  stop(): Promise<void>;
}

export interface Caller {
  userId: string;
  username: string;
  token: string | null;
  call<C extends Call>(call: C, input: CallRequest<C>): Promise<CallReply<C>>;
  /** The bare response, also of a refusal. */
  send<C extends Call>(call: C, input: CallRequest<C>): Promise<Response>;
  /** A request that no typed caller could make. */
  raw(
    method: string,
    path: string,
    options?: { body?: string | Blob; headers?: Record<string, string> },
  ): Promise<Response>;
}

/** `prepare` may add to the server what the program adds around its calls. */
export async function startTestPortal(
  prepare: (server: FastifyInstance, database: Pool, databaseUrl: string) => Promise<void> = async () => {},
  {
    trustedProxies = 0,
    countryHeader = '',
    log = openLog('silent', 'test'),
    publicUrl = 'https://portal.test',
    allowPrivateAddresses = true,
    repositoryRoot = tmpdir(),
    connectors = registry,
    requestsPerMinute = 100_000,
    microsoft,
    dataDir = join(tmpdir(), 'keepwatch-test-portal'),
    isEmbedded = false,
    secretSource = TEST_SECRET,
    queueFigures = async () => ({ waiting: 0, running: 0, failed: 0, failing: [] }),
  }: {
    trustedProxies?: number;
    countryHeader?: CountryHeader | '';
    log?: Log;
    publicUrl?: string;
    allowPrivateAddresses?: boolean;
    repositoryRoot?: string | null;
    connectors?: Connectors<Ports>;
    requestsPerMinute?: number;
    dataDir?: string;
    isEmbedded?: boolean;
    secretSource?: SecretSource;
    queueFigures?: () => Promise<QueueFigures>;
    /** Default: one that refuses everything. */
    microsoft?: MicrosoftAddresses;
  } = {},
): Promise<TestPortal> {
  const testDatabase = await createTestDatabase();
  await seedProviders(testDatabase.pool);
  const clock = { now: TEST_NOW };
  const sent: TestPortal['sent'] = [];
  const rules = { repositoryRoot, allowPrivateAddresses };
  const stored = openStoredRepositories({ databaseUrl: testDatabase.url, rules, queries: 2, pinned: 2 });
  const refusing = microsoft === undefined ? await startRefusing() : null;
  const server = await composeServer({
    database: testDatabase.pool,
    queue: recordingQueue(sent),
    queueFigures,
    log,
    metrics: openMetrics('test'),
    now: () => clock.now,
    demonstration: null,
    secrets: secretBox(secretSource.read),
    secretSource,
    connectors,
    stored,
    microsoft: microsoft ?? addressesOf(refusing?.url ?? ''),
    dataDir,
    isEmbedded,
    allowPrivateAddresses,
    publicUrl,
    trustedProxies,
    countryHeader,
    requestsPerMinute,
  });
  await prepare(server, testDatabase.pool, testDatabase.url);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    database: testDatabase.pool,
    databaseUrl: testDatabase.url,
    server,
    sent,
    clock,
    stored,
    callerOf: ({ userId, username, token }) => callerOf(url, { userId, username, token }),
    anonymous: callerOf(url, { userId: '', username: '', token: null }),
    as: (roles, options) =>
      signInAs({ url, pool: testDatabase.pool, now: clock.now }, typeof roles === 'string' ? [roles] : roles, options),
    async stop() {
      await server.close();
      await stored.close();
      refusing?.stop();
      await testDatabase.drop();
    },
  };
}

/** Microsoft at one address, as the sandbox is. */
export function addressesOf(url: string): MicrosoftAddresses {
  return {
    loginUrl: url,
    graphUrl: url,
    sharePointUrl: `${url}/sharepoint`,
    signInClientId: '14d82eec-204b-4c2f-b7e8-296a70dab67e',
  };
}

/** Instead of Microsoft, which no test must reach: refuses whatever is asked, at once. */
async function startRefusing(): Promise<{ url: string; stop(): void }> {
  const server = createServer((_request, reply) => {
    reply.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_request"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Two providers that must never see each other. */
export const PROVIDERS = [
  { id: 1, domain: 'localhost' },
  { id: 2, domain: 'other.localhost' },
] as const;

/** The providers of tests, in a database that has none. */
export async function seedProviders(pool: Pool): Promise<void> {
  for (const { id, domain } of PROVIDERS)
    await storeBrand(pool, { id, domain, name: `Provider ${id}`, layout: 'keepwatch', branding: {} });
}

let users = 0;

export async function signInAs(
  { url, pool, now }: { url: string; pool: Pool; now: Date },
  roles: readonly Role[],
  { providerId = 1, companyIds = [] }: { providerId?: number; companyIds?: readonly string[] } = {},
): Promise<Caller> {
  users += 1;
  const username = `user-${users}`;
  const person = { providerId, username, name: username, email: `${username}@example.test` };
  const userId = await createUser(pool, { ...person, passwordHash: PASSWORD_HASH, roles, companyIds });
  const token = await openSession(pool, { providerId, id: userId }, now, '127.0.0.1');
  return callerOf(url, { userId, username, token });
}

function callerOf(origin: string, who: { userId: string; username: string; token: string | null }): Caller {
  const transport = { fetch, origin, token: () => caller.token };
  const caller: Caller = {
    ...who,
    call: (call, input) => request(transport, call, input),
    send: (call, input) => send(transport, call, input),
    raw(method, path, options = {}) {
      const authorization: Record<string, string> =
        caller.token === null ? {} : { authorization: `Bearer ${caller.token}` };
      const body = options.body === undefined ? {} : { body: options.body };
      return fetch(origin + path, { method, headers: { ...authorization, ...options.headers }, ...body });
    },
  };
  return caller;
}

/** A queue that only records what is sent. */
export function recordingQueue(sent: TestPortal['sent']): Queue {
  return {
    async send(_connection, { name }, payload) {
      sent.push({ name, payload });
    },
    isAnswering: async () => true,
  };
}
