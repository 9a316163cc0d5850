import { textHash } from '../../world/random.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { type JsonObject, objectOf, textOf, valueAt } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { plannerId } from './fill-planner.ts';
import { between, calculatedHint } from './order-hint.ts';
import type { Plan, PlanTask } from './plan.ts';
import { bucketEntity, planDetailsEntity, planEntity, taskDetailsEntity, taskEntity } from './plan-entity.ts';
import { bucketOf, changedReply, planOf, requireEtag, taskOf } from './planner-call.ts';
import { changedDetails, changedTask, tooMany } from './task-input.ts';

/** https://learn.microsoft.com/office365/planner/planner-limits */
const PLANS_MAX = 200;
const BUCKETS_MAX = 200;

const newId = ({ tenant }: GraphCall) => plannerId(textHash(tenant.newId()));
const sentOf = ({ body }: GraphCall): JsonObject => objectOf(body);

function requiredText(call: GraphCall, name: string): string {
  const text = textOf(sentOf(call)[name]);
  if (!text) throw badRequest(`The request needs ${name}.`, '');
  return text;
}

/** @throws GraphError 400 without a container, 404 for a group that is not there */
export function createPlan(call: GraphCall): GraphReply {
  const { tenant } = call;
  const container = sentOf(call)['container'];
  const url = textOf(valueAt(container, 'url'));
  const id = textOf(valueAt(container, 'containerId')) ?? url?.split('/').at(-1);
  if (id === undefined) throw badRequest('A plan needs a container.', '');
  const group = tenant.directory.group(id);
  const plans = tenant.planner.of(group.id);
  if (plans.length >= PLANS_MAX) throw tooMany('MaximumProjectsOwnedByUser');
  const planId = newId(call);
  const plan: Plan = {
    id: planId,
    change: 1,
    groupId: group.id,
    title: requiredText(call, 'title'),
    createdMs: tenant.nowMs(),
    details: { id: planId, change: 1, properties: { sharedWith: {}, categoryDescriptions: {} } },
    buckets: new Map(),
    tasks: new Map(),
  };
  plans.push(plan);
  return entityReply(call, planEntity(plan), { context: 'planner/plans/$entity' }, 201);
}

export function changePlan(call: GraphCall): GraphReply {
  const plan = planOf(call, call.params['plan']);
  requireEtag(call, 'Plan', plan);
  plan.title = textOf(sentOf(call)['title']) ?? plan.title;
  plan.change += 1;
  return changedReply(call, planEntity(plan), 'planner/plans/$entity');
}

export function changePlanDetails(call: GraphCall): GraphReply {
  const plan = planOf(call, call.params['plan']);
  const { details } = plan;
  requireEtag(call, 'PlanDetails', details);
  const sent = sentOf(call);
  const both = (name: string) => ({ ...objectOf(details.properties[name]), ...objectOf(sent[name]) });
  const shared = Object.entries(both('sharedWith')).filter(([, isShared]) => isShared === true);
  details.properties = {
    sharedWith: Object.fromEntries(shared),
    categoryDescriptions: both('categoryDescriptions'),
  };
  details.change += 1;
  return changedReply(call, planDetailsEntity(plan), 'planner/plans/details/$entity');
}

export function deletePlan(call: GraphCall): GraphReply {
  const plan = planOf(call, call.params['plan']);
  requireEtag(call, 'Plan', plan);
  call.tenant.planner.remove(plan);
  return { status: 204 };
}

/** A new one is the first of its list, unless a hint says where it is to be. */
function hintOf(call: GraphCall, others: Iterable<{ orderHint: unknown }>): string {
  const sent = sentOf(call)['orderHint'];
  if (sent !== undefined) return calculatedHint(sent);
  const hints = [...others].map(({ orderHint }) => String(orderHint)).sort((one, other) => (one < other ? -1 : 1));
  return between('', hints[0] ?? '');
}

export function createBucket(call: GraphCall): GraphReply {
  const plan = planOf(call, sentOf(call)['planId']);
  if (plan.buckets.size >= BUCKETS_MAX) throw tooMany('MaximumBucketsInProject');
  const orderHint = hintOf(call, plan.buckets.values());
  const bucket = { id: newId(call), change: 1, name: requiredText(call, 'name'), orderHint };
  plan.buckets.set(bucket.id, bucket);
  return entityReply(call, bucketEntity(plan, bucket), { context: 'planner/buckets/$entity' }, 201);
}

export function changeBucket(call: GraphCall): GraphReply {
  const { plan, bucket } = bucketOf(call);
  requireEtag(call, 'Bucket', bucket);
  const { name, orderHint } = sentOf(call);
  bucket.name = textOf(name) ?? bucket.name;
  if (orderHint !== undefined) bucket.orderHint = calculatedHint(orderHint);
  bucket.change += 1;
  return changedReply(call, bucketEntity(plan, bucket), 'planner/buckets/$entity');
}

/** With a bucket its tasks go. */
export function deleteBucket(call: GraphCall): GraphReply {
  const { plan, bucket } = bucketOf(call);
  requireEtag(call, 'Bucket', bucket);
  plan.buckets.delete(bucket.id);
  for (const task of plan.tasks.values()) if (task.bucketId === bucket.id) plan.tasks.delete(task.id);
  return { status: 204 };
}

function bucketIdOf(plan: Plan, sent: unknown): string | null {
  const id = textOf(sent) ?? null;
  if (id !== null && !plan.buckets.has(id)) throw badRequest(`The plan has no bucket ${id}.`, '');
  return id;
}

export function createTask(call: GraphCall): GraphReply {
  const { tenant } = call;
  const sent = sentOf(call);
  const plan = planOf(call, sent['planId']);
  const orderHint = hintOf(
    call,
    [...plan.tasks.values()].map(({ properties }) => ({ orderHint: properties['orderHint'] })),
  );
  const first = { orderHint, assigneePriority: orderHint, percentComplete: 0, priority: 5 };
  const id = newId(call);
  const task: PlanTask = {
    id,
    change: 1,
    bucketId: bucketIdOf(plan, sent['bucketId']),
    createdMs: tenant.nowMs(),
    completedMs: null,
    properties: changedTask(
      { startDateTime: null, dueDateTime: null, conversationThreadId: null, ...first },
      sent,
      tenant.directory,
    ),
    details: { id, change: 1, properties: changedDetails({}, {}) },
  };
  task.completedMs = completedMs(task, tenant.nowMs());
  plan.tasks.set(id, task);
  return entityReply(call, taskEntity(plan, task), { context: 'planner/tasks/$entity' }, 201);
}

const completedMs = ({ properties, completedMs: before }: PlanTask, nowMs: number) =>
  properties['percentComplete'] === 100 ? (before ?? nowMs) : null;

export function changeTask(call: GraphCall): GraphReply {
  const { plan, task } = taskOf(call);
  requireEtag(call, 'Task', task);
  const sent = sentOf(call);
  task.properties = changedTask(task.properties, sent, call.tenant.directory);
  if ('bucketId' in sent) task.bucketId = bucketIdOf(plan, sent['bucketId']);
  task.completedMs = completedMs(task, call.tenant.nowMs());
  task.change += 1;
  return changedReply(call, taskEntity(plan, task), 'planner/tasks/$entity');
}

/** What a task counts of its details changes with them, and its etag then. */
export function changeTaskDetails(call: GraphCall): GraphReply {
  const { task } = taskOf(call);
  requireEtag(call, 'TaskDetails', task.details);
  task.details.properties = changedDetails(task.details.properties, sentOf(call));
  task.details.change += 1;
  return changedReply(call, taskDetailsEntity(task), 'planner/tasks/details/$entity');
}

export function deleteTask(call: GraphCall): GraphReply {
  const { plan, task } = taskOf(call);
  requireEtag(call, 'Task', task);
  plan.tasks.delete(task.id);
  return { status: 204 };
}
