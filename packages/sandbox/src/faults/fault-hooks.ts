import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AsyncActions } from '../vspc/async-actions.ts';
import { cutStream, distortPage, slowStream } from './bodies.ts';
import { type Fault, numberParameter, readFaultHeader, textParameter } from './fault.ts';
import type { FaultPlan } from './fault-plan.ts';
import { refuse } from './refusals.ts';

/** What the faults need from the server. */
export interface FaultContext {
  plan: FaultPlan;
  actions: AsyncActions;
  initiatorUid: string;
  /** The path below the base of the API, or undefined for what no fault may touch. */
  pathOf: (request: FastifyRequest) => string | undefined;
  /** What the resource would answer, as text; undefined for a path that is no resource. */
  answer: (request: FastifyRequest) => (() => string) | undefined;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Adds the faults to a server. Call it before authentication is added: faults of a proxy come first too. */
export function installFaults(app: FastifyInstance, context: FaultContext): void {
  const faults = new WeakMap<FastifyRequest, Fault>();
  const askedOffsets = new WeakMap<FastifyRequest, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const fault = faultOf(request, context);
    if (fault && refuse(fault, reply)) return;
    if (fault) faults.set(request, fault);
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const fault = faults.get(request);
    if (fault?.kind === 'same-page') askedOffsets.set(request, forgetOffset(request));
    if (fault?.kind === 'async' && promise(fault, request, reply, context)) return;
    done();
  });
  app.addHook('preSerialization', (request, _reply, body, done) => {
    const fault = faults.get(request);
    done(null, fault ? distortPage(fault, body, askedOffsets.get(request) ?? 0) : body);
  });
  app.addHook('onSend', (request, reply, body, done) => {
    const fault = faults.get(request);
    if (!fault || typeof body !== 'string' || (fault.kind !== 'cut' && fault.kind !== 'slow')) return done(null, body);
    reply.header('content-length', Buffer.byteLength(body));
    done(null, fault.kind === 'cut' ? cutStream(body) : slowStream(body, fault));
  });
}

function faultOf(request: FastifyRequest, { pathOf, plan }: FaultContext): Fault | undefined {
  const path = pathOf(request);
  if (path === undefined) return undefined;
  const header = request.headers['x-sandbox-fault'];
  if (typeof header === 'string') return readFaultHeader(header);
  return plan.hit(path);
}

/** Makes the request ask for the first page, and returns the offset it had asked for. */
function forgetOffset(request: FastifyRequest): number {
  const query = new Map<string, unknown>(Object.entries(request.query ?? {}));
  const asked = Number(query.get('offset') ?? 0);
  query.delete('offset');
  request.query = Object.fromEntries(query);
  return Number.isFinite(asked) ? asked : 0;
}

/** Answers 202 and leaves the work for later; the request's own id becomes that of the action. */
function promise(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
  { actions, initiatorUid, answer }: FaultContext,
): boolean {
  const work = answer(request);
  if (!work) return false;
  const asked = request.headers['x-request-id'];
  const id = typeof asked === 'string' && uuid.test(asked) ? asked.toLowerCase() : randomUUID();
  const queryParameters = Object.fromEntries(
    Object.entries(request.query ?? {}).map(([name, value]) => [name, [value].flat().map(String)]),
  );
  const action = { id, initiatorUid, actionName: request.url, queryParameters, requestBody: null };
  const polls = numberParameter(fault, 'polls', 1);
  actions.start(action, polls, textParameter(fault, 'outcome', 'succeed') === 'failed', work);
  reply.code(202).header('Location', `/api/v3/asyncActions/${id}`).send();
  return true;
}
