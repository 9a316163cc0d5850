import http from 'node:http';
import https from 'node:https';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Certificate, makeCertificate } from './certificate.ts';
import { addControl } from './control.ts';
import { type Fault, FaultError } from './faults/fault.ts';
import { installFaults } from './faults/fault-hooks.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { AsyncActions } from './vspc/async-actions.ts';
import { errorBody, notFound, VendorError } from './vspc/errors.ts';
import { addRoutes, basePath, laterAnswer, pathBelowBase } from './vspc/routes.ts';
import { TokenError, Tokens } from './vspc/tokens.ts';
import { currentUserUid, usersOf } from './vspc/users.ts';
import { mix } from './world/random.ts';
import { buildWorld } from './world/world.ts';

export interface SandboxOptions {
  /** Which provider; the same seed always gives the same one. Default 1. */
  seed?: number;
  /** The clock of the world. Default: real time. */
  now?: () => Date;
  /** Default 0: a free one. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** HTTPS with a certificate made at start. Default true. */
  tls?: boolean;
  /** Whether `/__sandbox` answers (this machine alone). Default false. */
  control?: boolean;
  /** Default 60, with about 1,500 jobs. */
  companyCount?: number;
  /** Default one hour, as at the vendor. */
  accessTokenLifetimeMs?: number;
}

export interface RunningSandbox {
  /** Base of the API, such as https://127.0.0.1:1280/api/v3 */
  url: string;
  apiKey: string;
  username: string;
  password: string;
  /** SHA-256 of the certificate in lower case hex; empty without TLS. */
  thumbprint: string;
  /** SHA-1 of the same; empty without TLS. */
  thumbprintSha1: string;
  stop(): Promise<void>;
  /** Moves the clock of the world forward. */
  advanceClock(ms: number): void;
  /** Replaces all faults; an empty list ends them. */
  setFaults(faults: readonly Fault[]): void;
}

/**
 * Starts an invented service provider behind the vendor's REST interface.
 * @throws the error of the system when the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const seed = options.seed ?? 1;
  const clock = options.now ?? (() => new Date());
  let shiftMs = 0;
  const nowMs = () => clock().getTime() + shiftMs;
  const advanceClock = (ms: number) => {
    shiftMs += ms;
  };
  const credentials = { username: 'keystone\\portal', password: 'sandbox-portal', apiKey: apiKeyOf(seed) };
  // The certificate lives in real time, whatever the clock of the world says: it is checked by a real client.
  const certificate = options.tls === false ? undefined : await makeCertificate(new Date());
  const plan = new FaultPlan(seed);
  const app = buildApp(certificate, {
    seed,
    companyCount: options.companyCount ?? 60,
    nowMs,
    plan,
    credentials,
    accessTokenLifetimeMs: options.accessTokenLifetimeMs ?? 3_600_000,
  });
  const thumbprints = { thumbprint: certificate?.sha256 ?? '', thumbprintSha1: certificate?.sha1 ?? '' };
  if (options.control) addControl(app, { plan, nowMs, advanceClock, facts: { seed, ...thumbprints } });
  await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  return {
    url: urlOf(app, certificate !== undefined),
    ...credentials,
    ...thumbprints,
    stop: () => app.close(),
    advanceClock,
    setFaults: (faults) => plan.set(faults),
  };
}

/** The address to use on this machine, also when the server listens on all of its addresses. */
function urlOf(app: FastifyInstance, isSecure: boolean): string {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The sandbox does not listen on a port');
  const isEvery = address.address === '0.0.0.0' || address.address === '::';
  const name = isEvery ? '127.0.0.1' : address.address;
  const host = name.includes(':') ? `[${name}]` : name;
  return `${isSecure ? 'https' : 'http'}://${host}:${address.port}${basePath}`;
}

interface AppSettings {
  seed: number;
  companyCount: number;
  nowMs: () => number;
  plan: FaultPlan;
  credentials: { username: string; password: string; apiKey: string };
  accessTokenLifetimeMs: number;
}

function buildApp(certificate: Certificate | undefined, settings: AppSettings): FastifyInstance {
  const { nowMs, plan } = settings;
  const app = Fastify({
    routerOptions: { ignoreTrailingSlash: true },
    // Requests that hang or dribble on purpose would keep the server open.
    forceCloseConnections: true,
    serverFactory: (handler) =>
      certificate
        ? https.createServer({ key: certificate.key, cert: certificate.cert }, handler)
        : http.createServer(handler),
  });
  const world = buildWorld(settings.seed, settings.companyCount);
  const tokens = new Tokens(settings.credentials, settings.accessTokenLifetimeMs, nowMs, usersOf(world));
  const actions = new AsyncActions();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  installFaults(app, {
    plan,
    actions,
    initiatorUid: currentUserUid(world),
    pathOf: pathBelowBase,
    answer: (request) => laterAnswer(request, world, nowMs),
  });
  addErrors(app);
  addRoutes(app, { world, nowMs, tokens, actions });
  return app;
}

function addErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((request) => {
    throw notFound(`Resource ${request.method} ${request.url}`);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof TokenError) {
      return reply.code(400).send({ error: error.error, error_description: error.message, error_uri: null });
    }
    const known = error instanceof VendorError ? error : toVendorError(error);
    return reply.code(known.status).send(errorBody(known));
  });
}

/** All faults of the server itself leave with status 520, as the vendor documents of its own. */
function toVendorError(error: Error & { statusCode?: number }): VendorError {
  if (error instanceof FaultError) return new VendorError(400, 'logical', error.message);
  const status = error.statusCode ?? 520;
  return status < 500
    ? new VendorError(status, 'logical', error.message)
    : new VendorError(520, 'unspecified', error.message);
}

function apiKeyOf(seed: number): string {
  return [1, 2, 3, 4].map((salt) => mix(seed, salt, 330).toString(16).padStart(8, '0')).join('');
}
