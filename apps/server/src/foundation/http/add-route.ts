import { BODY_BYTES_DEFAULT, type Call, type FileReply, isFile, jsonOf } from '@keepwatch/contract/wire/call';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { withAbort } from '../database.ts';
import { Refusal } from '../errors.ts';
import type { SecretBox } from '../secrets.ts';
import { admit } from './access.ts';
import { bearerToken } from './bearer-token.ts';
import type { Actor, PublicContext, Services } from './context.ts';
import { cookiesOf } from './cookies.ts';
import { answerFailure } from './failures.ts';
import { once, type RepeatableRequest } from './idempotency.ts';
import { parseInput } from './parse.ts';
import { isHttps } from './public-url.ts';
import { openFile, type RangedFile, type StreamedFile, sendFile } from './replies/file-reply.ts';
import { type Redirect, sendRedirect } from './replies/redirect-reply.ts';
import { serialiserOf } from './replies/serialise.ts';
import { type RequestBody, readBody, requireBodyType } from './request-body.ts';
import { claimantOf, goneSignal, isLargeBody, RequestPlace, type RequestPlaces } from './request-places.ts';
import type { Route, RouteInput } from './routes.ts';

export interface RouteServices extends Services {
  /** Seals replies that are remembered. */
  secrets: SecretBox;
  places: RequestPlaces;
  /** Who a bearer token belongs to. Throws the 401 that says why it is refused. */
  authenticate(token: string, address: string): Promise<Actor>;
  /** The address people open. Where it begins with https, cookies and browsers are bound to that. */
  publicUrl: string;
}

/** Largest body of a call that does not say otherwise. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** Changes a minute that one address may ask for without being signed in: signing in, setup. */
const PUBLIC_CHANGES_PER_MINUTE = 120;

/** Registers one declared call: guard, validation, handler, serialisation, its failure text. */
export function addRoute(server: FastifyInstance, route: Route, services: RouteServices): void {
  const { call } = route;
  const answer = answererOf(call);
  server.route({
    method: call.method,
    url: `/api${call.path.replace(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: call.rawBody?.bytesMax ?? call.textBodyBytesMax ?? call.bodyBytesMax ?? BODY_BYTES_DEFAULT,
    ...rateLimitOf(route),
    errorHandler: (error, request, reply) => answerFailure(error, request, reply, call.failure),
    // Who asks is known before a body is read (strangers cannot make the server read one) and after the requests were counted.
    preParsing: async (request, reply) => {
      request.actor = await actorOf(call, request, services);
      requireBodyType(call, request);
      const place = placeOf(route, request, services, goneSignal(reply.raw));
      const claimant = await route.admit?.(contextOf(call, request, reply, services, place), request.params);
      if (claimant === undefined || !isLargeBody(request)) return;
      const leave = await services.places.largeBodies.enter(claimant, goneSignal(reply.raw));
      reply.raw.once('close', leave);
      if (reply.raw.destroyed) leave();
    },
    handler: async (request, reply) => {
      const body = readBody(call, request);
      const input = inputOf(call, request, body);
      const gone = goneSignal(reply.raw);
      const place = placeOf(route, request, services, gone);
      const handle = () => route.handle(contextOf(call, request, reply, services, place), input);
      reply.header('cache-control', 'no-store');
      // A place is left before the reply is sent: a caller that reads slowly occupies none.
      const inPlace = <T>(work: () => Promise<T>) => place.occupy(() => workFor(route, gone, work));
      return answer({
        request,
        reply,
        services,
        sent: body.bytes.length > 0 ? body.bytes : body.text,
        handle,
        inPlace,
      });
    },
  });
}

/** A request that is being answered. */
interface Answering {
  request: FastifyRequest;
  reply: FastifyReply;
  services: RouteServices;
  /** The body, as text or as bytes. */
  sent: string | Buffer;
  handle(): ReturnType<Route['handle']>;
  inPlace<T>(work: () => Promise<T>): Promise<T>;
}

/** How a call is answered, by the kind of its reply. `answer` in routes.ts types what its handler gives. */
function answererOf({ reply: kind, ...call }: Call): (answering: Answering) => Promise<FastifyReply> {
  const schema = jsonOf(kind);
  if (schema !== null) return answerJson(serialiserOf(schema));
  if (isFile(kind)) return answerFile(kind);
  if (kind === 'redirect') return answerRedirect;
  if (kind === 'empty') return answerEmpty;
  throw new Error(`${call.path} has a reply of an unknown kind.`);
}

function answerJson(serialise: (reply: unknown) => string): (answering: Answering) => Promise<FastifyReply> {
  return async (answering) => {
    const { reply, handle } = answering;
    const answered = await workOnce(answering, async () => serialise({ ...(await handle()), success: true }));
    return reply.type('application/json; charset=utf-8').send(answered);
  };
}

/** Works once for a key of the header `Idempotency-Key`, and without the header each time. */
function workOnce({ request, services, sent, inPlace }: Answering, work: () => Promise<string>): Promise<string> {
  const repeatable = repeatableRequest(request, sent);
  return inPlace(() => (repeatable === null ? work() : once(services, repeatable, work)));
}

/** A file or a redirect is not remembered: its caller must not believe that the work is done once. */
function refuseKey(request: FastifyRequest): void {
  if (repeatableRequest(request, '') === null) return;
  const message = 'This call does not support Idempotency-Key. Send it without the header.';
  throw new Refusal(422, 'IDEMPOTENCY_KEY_NOT_SUPPORTED', message);
}

function answerFile(kind: FileReply): (answering: Answering) => Promise<FastifyReply> {
  return async ({ request, reply, handle, inPlace }) => {
    refuseKey(request);
    const open = async () => openFile(kind, (await handle()) as StreamedFile | RangedFile, request);
    return sendFile(reply, await inPlace(open));
  };
}

async function answerRedirect({ request, reply, handle, inPlace }: Answering): Promise<FastifyReply> {
  refuseKey(request);
  return sendRedirect(reply, (await inPlace(handle)) as Redirect);
}

async function answerEmpty(answering: Answering): Promise<FastifyReply> {
  await workOnce(answering, async () => {
    await answering.handle();
    return '';
  });
  return answering.reply.code(204).send();
}

function inputOf(call: Call, request: FastifyRequest, { json, text, bytes }: RequestBody): RouteInput {
  const input = parseInput(call, { params: request.params, queryText: queryTextOf(request.url), body: json });
  return { ...input, text, bytes, headers: headersOf(call, request) };
}

/** The headers that the call declares; of one that a request repeats, the first. */
function headersOf({ headers: names = [] }: Call, { headers }: FastifyRequest): Record<string, string | null> {
  return Object.fromEntries(names.map((name) => [name, [headers[name.toLowerCase()]].flat()[0] ?? null]));
}

function rateLimitOf({ call, isLimitedByItself = false }: Route): Pick<RouteShorthandOptions, 'config'> {
  if (isLimitedByItself) return { config: { rateLimit: false } };
  if (call.access !== 'public' || call.method === 'GET') return {};
  return { config: { rateLimit: { max: PUBLIC_CHANGES_PER_MINUTE, timeWindow: 60_000 } } };
}

async function actorOf(call: Call, request: FastifyRequest, services: RouteServices): Promise<Actor | null> {
  if (call.access === 'public') return null;
  const actor = await services.authenticate(bearerToken(request), request.ip);
  admit(actor, call);
  return actor;
}

/** The place of a request. Reports need none: they are many, small, and gathered by those who store them. */
function placeOf(
  { admit }: Route,
  { actor, ip }: FastifyRequest,
  { places }: RouteServices,
  gone: AbortSignal,
): RequestPlace {
  const ofCaller = actor === null ? places.anonymous : places.signedIn;
  return new RequestPlace(admit === undefined ? ofCaller : null, places.outside, claimantOf(actor, ip), gone);
}

/** Works on a call. What only reads ends when its caller goes away. */
function workFor<T>({ call, admit }: Route, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
  return call.method === 'GET' && admit === undefined ? withAbort(gone, work) : work();
}

/** A POST of a signed-in user, sent with the header `Idempotency-Key`. */
function repeatableRequest(request: FastifyRequest, sent: string | Buffer): RepeatableRequest | null {
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || request.actor === null || typeof key !== 'string') return null;
  return { actor: request.actor, key, asked: Buffer.concat([Buffer.from(`${request.url}\n`), Buffer.from(sent)]) };
}

function contextOf(
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  services: RouteServices,
  place: RequestPlace,
): PublicContext & { scope?: unknown; audit?: unknown } {
  const context: PublicContext = {
    database: services.database,
    queue: services.queue,
    now: services.now,
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    host: request.hostname,
    cookies: cookiesOf(request, reply, isHttps(services.publicUrl)),
    actor: request.actor,
    outside: (work) => place.leaveFor(work),
  };
  const audit = call.audit ?? null;
  return {
    ...context,
    ...(request.actor === null ? {} : { scope: request.actor.scope }),
    ...(audit === null ? {} : { audit }),
  };
}

function queryTextOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
}
