import rateLimit from '@fastify/rate-limit';
import { BODY_BYTES_DEFAULT } from '@keepwatch/contract/wire/call';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { newId } from '../secrets.ts';
import { addRoute, type RouteServices } from './add-route.ts';
import { answerFailure, sendError } from './failures.ts';
import { isHttps } from './public-url.ts';
import { openRequestPlaces } from './request-places.ts';
import type { Route } from './routes.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { answerUnreadableRequests, type UnreadableRequests } from './unreadable-requests.ts';
import { endUnusedConnections } from './unused-connections.ts';

export interface ServerOptions extends Omit<RouteServices, 'places'> {
  routes: readonly Route[];
  log: Log;
  metrics: Metrics;
  trustedProxies: number;
  /** Requests a minute from one address; signing in and intake have less. */
  requestsPerMinute: number;
}

/** Opens the HTTP server with all declared calls. The program that composes it adds screens and live events. */
export async function openServer(options: ServerOptions): Promise<FastifyInstance> {
  let unreadable: UnreadableRequests;
  const server: FastifyInstance = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    childLoggerFactory: (_own, bindings, childOptions) =>
      options.log.child(bindings, childOptions) as FastifyBaseLogger,
    genReqId: () => newId(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies === 0 ? false : (_address, hop) => hop < options.trustedProxies,
    bodyLimit: BODY_BYTES_DEFAULT,
    requestTimeout: 60_000,
    clientErrorHandler: (error, socket) => unreadable.onClientError(error, socket),
    frameworkErrors: (error, request, reply) => unreadable.onBadAddress(error, request, reply),
    // Node itself answers a request without a host, and in no shape: ours is below.
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: 500, querystringParser: () => ({}) },
  });
  // At `info`, Fastify logs only where it listens, right before the program's first lines show people the address to open
  // (program/first-lines.ts).
  server.log.info = server.log.debug;
  unreadable = answerUnreadableRequests(server);
  endUnusedConnections(server);
  addSecurityHeaders(server, isHttps(options.publicUrl));
  await server.register(rateLimit, {
    global: true,
    max: options.requestsPerMinute,
    timeWindow: 60_000,
    // A first visit asks for dozens of files, and costs next to nothing: an office behind one address would see empty pages.
    allowList: (request) => request.url.startsWith('/assets/'),
  });
  server.addHook('onRequest', (request, _reply, done) => done(hostMissing(request)));
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id);
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, options.metrics);
    done();
  });
  server.setErrorHandler((error: FastifyError, request, reply) =>
    answerFailure(error, request, reply, GENERAL_FAILURE),
  );
  server.setNotFoundHandler({ preHandler: server.rateLimit() }, (request, reply) => {
    sendError(reply, 404, {
      success: false,
      code: 'ROUTE_NOT_FOUND',
      // Without the address: it may hold a token.
      message: 'There is no such call.',
      requestId: request.id,
    });
  });
  // Whatever type the sender names, a body stays what it is until its call reads it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding === 'identity') done(null, body);
    else done(encoded(encoding));
  });
  const services: RouteServices = { ...options, places: openRequestPlaces() };
  await server.register(async (scope) => {
    for (const route of options.routes) addRoute(scope, route, services);
  });
  return server;
}

/** HTTP/1.1 wants a host of every request; by it the brand is found. */
function hostMissing({ raw }: FastifyRequest): Refusal | undefined {
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return undefined;
  return new Refusal(400, 'NO_HOST', 'The request does not say for which host it is.');
}

/** Refuses a compressed body, which read as text would look like a malformed one. */
function encoded(encoding: string): Refusal {
  const message = `The body is encoded (${encoding}). Send it as it is, without a Content-Encoding.`;
  return new Refusal(415, 'ENCODED_BODY', message);
}

const GENERAL_FAILURE = 'Something went wrong on our side. Try again later.';

function observe(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const path = request.routeOptions.url ?? 'none';
  metrics.requestSeconds.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1_000);
}
