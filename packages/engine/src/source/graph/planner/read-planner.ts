import type { Scan, SourceEvent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { asStored, isGone, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Container, type Reply, repliesTo } from '../reading-failures.ts';
import { type ListedScope, nothingLeft, type ScannedEntity, scansIfChanged, without } from '../scan-if-changed.ts';
import { bodyOfReply, wholeList } from '../whole-list.ts';
import { bucketItem, planItem, taskItem } from './plan-item.ts';

const PLANS: Scan = { scope: 'plans', kinds: ['plan'] };
const bucketScan = (planId: string): Scan => ({
  scope: `buckets/${planId}`,
  kinds: ['plan-bucket'],
  parentId: planId,
});
/** @param parentId of a bucket, or of the plan for tasks that are in none */
const taskScan = (parentId: string): Scan => ({ scope: `tasks/${parentId}`, kinds: ['plan-task'], parentId });

/** A plan as it was read: with its details, or why it could not be read to its end. */
interface ReadPlan {
  plan: JsonObject;
  scopes: ListedScope[];
}

/**
 * The plans of a group with buckets and tasks. Graph v1.0 has no delta of them, and the etag of a task says nothing of its description and checklist,
 * so all of it is asked for in every run, and given where something differs.
 * https://learn.microsoft.com/graph/api/resources/planner-overview
 */
export async function* readPlanner(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { object, cursors, signal } = request;
  const plans: JsonObject[] = [];
  for await (const { value } of connection.pages({ path: path`/groups/${object.id}/planner/plans`, signal }))
    plans.push(...value);
  yield { type: 'scan-begin', scan: PLANS, resumed: false };
  const there = new Set<string>();
  let isWhole = true;
  for (const listed of plans) {
    const read = await planOf(reading, listed);
    if ('type' in read) {
      isWhole = false;
      yield read;
      yield* storedPlan(reading, await request.current([idOf(listed)]));
    } else {
      for (const { scan } of read.scopes) there.add(scan.scope);
      const item = planItem(read.plan);
      if (read.scopes.length > 0) yield { type: 'item', item, contents: [propertiesOf(read.plan)] };
      yield* scansIfChanged(request, read.scopes);
    }
  }
  yield { type: 'scan-end', scan: PLANS };
  // What is in a plan that could not be read is not known.
  if (isWhole) for (const scope of cursors.keys()) yield* withoutGone(scope, there);
}

const idOf = (entity: JsonObject) => textOf(entity['id']) ?? '';

const planContainer = (id: string): Container => ({ noun: 'plan', id, path: path`/planner/plans/${id}` });

function* storedPlan(
  { request }: Reading,
  known: Awaited<ReturnType<Reading['request']['current']>>,
): Generator<SourceEvent> {
  request.signal.throwIfAborted();
  for (const stored of known.values()) yield asStored(stored, null);
}

function* withoutGone(scope: string, there: ReadonlySet<string>): Generator<SourceEvent> {
  const [, kind, id] = /^(buckets|tasks)\/(.+)$/.exec(scope) ?? [];
  if (id === undefined || there.has(scope)) return;
  yield* nothingLeft(kind === 'buckets' ? bucketScan(id) : taskScan(id));
}

/** @returns a failure for a plan that could not be read to its end; a plan without scopes is gone */
async function planOf(reading: Reading, listed: JsonObject): Promise<ReadPlan | SourceEvent> {
  const { connection, request, failures } = reading;
  const container = planContainer(idOf(listed));
  const calls = ['details', 'buckets', 'tasks'].map((part) => ({ path: `${container.path}/${part}` }));
  try {
    const [details, ...lists] = await repliesTo(connection, calls, request.signal);
    const plan = { ...listed, details: without(bodyOfReply(details)) };
    const [buckets = [], tasks = []] = await Promise.all(
      lists.map((reply) => wholeList(connection, reply, request.signal)),
    );
    return { plan, scopes: await scopesOf(reading, plan, buckets, tasks) };
  } catch (error) {
    if (isGone(error) && (await failures.isContainerGone(container))) return { plan: listed, scopes: [] };
    return failures.containerFailed(container, error);
  }
}

async function scopesOf(
  reading: Reading,
  plan: JsonObject,
  buckets: readonly JsonObject[],
  tasks: readonly JsonObject[],
): Promise<ListedScope[]> {
  const planId = idOf(plan);
  const calls = tasks.map((task) => ({ path: path`/planner/tasks/${idOf(task)}/details` }));
  const replies = await repliesTo(reading.connection, calls, reading.request.signal);
  const isThere = new Set(buckets.map(idOf));
  const inParent = new Map<string, { all: ScannedEntity[]; lost: SourceEvent[] }>();
  for (const id of [planId, ...isThere]) inParent.set(id, { all: [], lost: [] });
  for (const [at, task] of tasks.entries()) {
    const bucket = textOf(task['bucketId']) ?? '';
    const parentId = isThere.has(bucket) ? bucket : planId;
    const read = await wholeTask(reading, plan, task, parentId, replies[at]);
    if (Array.isArray(read)) inParent.get(parentId)?.lost.push(...read);
    else inParent.get(parentId)?.all.push(read);
  }
  const ofBuckets = {
    scan: bucketScan(planId),
    all: buckets.map((entity) => ({ entity, item: bucketItem(entity, planId) })),
  };
  return [ofBuckets, ...[...inParent].map(([id, { all, lost }]) => ({ scan: taskScan(id), all, lost }))];
}

/** A task with its details, or the events of one that could not be read. */
async function wholeTask(
  { failures }: Reading,
  plan: JsonObject,
  task: JsonObject,
  parentId: string,
  reply: Reply | undefined,
): Promise<ScannedEntity | SourceEvent[]> {
  try {
    const entity = { ...task, details: without(bodyOfReply(reply)) };
    return { entity, item: taskItem(entity, parentId, plan) };
  } catch (error) {
    const entity = { path: path`/planner/tasks/${idOf(task)}` };
    const place = { container: planContainer(idOf(plan)), entity };
    return failures.eventsOf(taskItem(task, parentId, plan), error, place);
  }
}
