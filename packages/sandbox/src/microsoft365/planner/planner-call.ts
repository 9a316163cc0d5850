import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { JsonObject } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import type { Plan, PlanBucket, PlanTask, Versioned } from './plan.ts';
import { etagOf } from './plan-entity.ts';

const notFound = () => new GraphError(404, '', 'The requested item is not found.');

/** @throws GraphError 404 */
export function planOf({ tenant }: GraphCall, id: unknown): Plan {
  const plan = tenant.planner.all().find((one) => one.id === id);
  if (plan === undefined) throw notFound();
  return plan;
}

/** The bucket of the path, and its plan. @throws GraphError 404 */
export function bucketOf({ tenant, params }: GraphCall): { plan: Plan; bucket: PlanBucket } {
  for (const plan of tenant.planner.all()) {
    const bucket = plan.buckets.get(params['bucket'] ?? '');
    if (bucket !== undefined) return { plan, bucket };
  }
  throw notFound();
}

/** The task of the path, and its plan. @throws GraphError 404 */
export function taskOf({ tenant, params }: GraphCall): { plan: Plan; task: PlanTask } {
  for (const plan of tenant.planner.all()) {
    const task = plan.tasks.get(params['task'] ?? '');
    if (task !== undefined) return { plan, task };
  }
  throw notFound();
}

/**
 * Refuses a change of what was changed since it was read.
 * @throws GraphError 412, also where the call does not say what it read; https://learn.microsoft.com/graph/api/resources/planner-overview
 */
export function requireEtag(call: GraphCall, type: string, of: Versioned): void {
  if (call.headers['if-match'] === etagOf(type, of)) return;
  throw new GraphError(412, '', 'The If-Match header does not have the etag of the last version of the item.');
}

/** What is answered to a change: nothing, unless the representation is preferred. */
export function changedReply(call: GraphCall, entity: JsonObject, context: string): GraphReply {
  if (!/return=representation/i.test(call.headers['prefer'] ?? '')) return { status: 204 };
  return entityReply(call, entity, { context });
}
