import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphHandler, GraphMethod, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import type { JsonObject } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import { byHint } from './plan.ts';
import { bucketEntity, planDetailsEntity, planEntity, taskDetailsEntity, taskEntity } from './plan-entity.ts';
import { bucketOf, planOf, taskOf } from './planner-call.ts';
import {
  changeBucket,
  changePlan,
  changePlanDetails,
  changeTask,
  changeTaskDetails,
  createBucket,
  createPlan,
  createTask,
  deleteBucket,
  deletePlan,
  deleteTask,
} from './planner-writing.ts';

const PAGE = 40;

const listOf = (call: GraphCall, context: string, rows: readonly JsonObject[]): GraphReply =>
  collectionReply(call, rows, { context, pageSize: PAGE, maximum: PAGE });

function listPlans(call: GraphCall): GraphReply {
  const group = call.tenant.directory.group(call.params['group'] ?? '');
  return listOf(call, 'plans', call.tenant.planner.of(group.id).map(planEntity));
}

function listBuckets(call: GraphCall): GraphReply {
  const plan = planOf(call, call.params['plan']);
  const buckets = [...plan.buckets.values()].toSorted(byHint);
  return listOf(
    call,
    'buckets',
    buckets.map((one) => bucketEntity(plan, one)),
  );
}

function listTasks(call: GraphCall): GraphReply {
  const plan = planOf(call, call.params['plan']);
  return listOf(
    call,
    'tasks',
    [...plan.tasks.values()].map((one) => taskEntity(plan, one)),
  );
}

const getPlan = (call: GraphCall) =>
  entityReply(call, planEntity(planOf(call, call.params['plan'])), { context: 'planner/plans/$entity' });
const getPlanDetails = (call: GraphCall) =>
  entityReply(call, planDetailsEntity(planOf(call, call.params['plan'])), { context: 'planner/plans/details/$entity' });
const getTaskDetails = (call: GraphCall) =>
  entityReply(call, taskDetailsEntity(taskOf(call).task), { context: 'planner/tasks/details/$entity' });

function getBucket(call: GraphCall): GraphReply {
  const { plan, bucket } = bucketOf(call);
  return entityReply(call, bucketEntity(plan, bucket), { context: 'planner/buckets/$entity' });
}

function getTask(call: GraphCall): GraphReply {
  const { plan, task } = taskOf(call);
  return entityReply(call, taskEntity(plan, task), { context: 'planner/tasks/$entity' });
}

/** Application permissions by the references, such as https://learn.microsoft.com/graph/api/plannergroup-list-plans */
const writers = ['Tasks.ReadWrite.All'];
const readers = ['Tasks.Read.All', ...writers];

const get = (path: string, handle: GraphHandler): GraphRoute => ({ method: 'GET', path, handle, permissions: readers });
const write = (method: GraphMethod, path: string, handle: GraphHandler): GraphRoute => ({
  method,
  path,
  handle,
  permissions: writers,
});

/** Plans of groups with buckets and tasks; there is no delta in v1.0. */
export const plannerRoutes: readonly GraphRoute[] = [
  get('/groups/{group}/planner/plans', listPlans),
  get('/planner/plans/{plan}', getPlan),
  get('/planner/plans/{plan}/details', getPlanDetails),
  get('/planner/plans/{plan}/buckets', listBuckets),
  get('/planner/plans/{plan}/tasks', listTasks),
  get('/planner/buckets/{bucket}', getBucket),
  get('/planner/tasks/{task}', getTask),
  get('/planner/tasks/{task}/details', getTaskDetails),
  write('POST', '/planner/plans', createPlan),
  write('PATCH', '/planner/plans/{plan}', changePlan),
  write('PATCH', '/planner/plans/{plan}/details', changePlanDetails),
  write('DELETE', '/planner/plans/{plan}', deletePlan),
  write('POST', '/planner/buckets', createBucket),
  write('PATCH', '/planner/buckets/{bucket}', changeBucket),
  write('DELETE', '/planner/buckets/{bucket}', deleteBucket),
  write('POST', '/planner/tasks', createTask),
  write('PATCH', '/planner/tasks/{task}', changeTask),
  write('PATCH', '/planner/tasks/{task}/details', changeTaskDetails),
  write('DELETE', '/planner/tasks/{task}', deleteTask),
];
