import type { FastifyInstance } from 'fastify';
import { FaultError, faultKinds, readFaults } from './faults/fault.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import { isFromHere } from './from-here.ts';
import { resources } from './vspc/resources.ts';
import { basePath } from './vspc/routes.ts';

/** What the control calls can reach. */
export interface ControlContext {
  plan: FaultPlan;
  nowMs: () => number;
  advanceClock: (ms: number) => void;
  /** Facts about the running sandbox that a reader of `GET /__sandbox` may want. */
  facts: Readonly<Record<string, unknown>>;
}

/** Adds the calls that steer the sandbox. They are no part of the vendor's API, and answer this machine alone. */
export function addControl(app: FastifyInstance, { plan, nowMs, advanceClock, facts }: ControlContext): void {
  app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) => {
      if (!isFromHere(request)) return reply.code(403).send({ message: 'Only this machine may steer the sandbox.' });
    });
    control.setErrorHandler((error, _request, reply) => {
      if (error instanceof FaultError) return reply.code(400).send({ message: error.message });
      throw error;
    });
    control.get('/__sandbox', () => describe(plan, nowMs, facts));
    control.post('/__sandbox/faults', (request) => {
      plan.set(readFaults(request.body));
      return { faults: plan.list() };
    });
    control.delete('/__sandbox/faults', (_request, reply) => {
      plan.set([]);
      return reply.code(204).send();
    });
    control.post('/__sandbox/clock', (request) => {
      advanceClock(readAdvance(request.body));
      return { now: new Date(nowMs()).toISOString() };
    });
  });
}

function describe(plan: FaultPlan, nowMs: () => number, facts: Readonly<Record<string, unknown>>) {
  return {
    what: 'An invented service provider behind the REST interface of Veeam Service Provider Console 9.1.',
    now: new Date(nowMs()).toISOString(),
    ...facts,
    resources: Object.keys(resources).map((path) => basePath + path),
    control: ['GET /__sandbox', 'POST /__sandbox/faults', 'DELETE /__sandbox/faults', 'POST /__sandbox/clock'],
    faultKinds,
    faults: plan.list(),
  };
}

/** The clock only goes forward: tokens that were issued and runs that ended cannot be undone. */
function readAdvance(body: unknown): number {
  const advanceMs = typeof body === 'object' && body !== null && 'advanceMs' in body ? body.advanceMs : undefined;
  if (typeof advanceMs === 'number' && advanceMs >= 0 && advanceMs <= 3650 * 86_400_000) return advanceMs;
  throw new FaultError('advanceMs must be a number of milliseconds from 0 to ten years');
}
