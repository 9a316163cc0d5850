import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Plan, PlanTask } from '../../../../../sandbox/src/microsoft365/planner/plan.ts';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { objectsIn } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant;
let connection: GraphConnection;
let object: ProtectedObject;

beforeEach(async () => {
  ({ tenant, connection } = await startConnected());
  [object] = (await objectsIn(openGraphSource(connection), 'planner')) as [ProtectedObject];
});
afterEach(() => tenant.stop());

const plans = () => tenant.tenant.planner.of(object.id);
const idsOf = (of: readonly Plan[]) =>
  of.flatMap(({ id, buckets, tasks }) => [id, ...buckets.keys(), ...tasks.keys()]).sort();
const anyOf = (condition: (task: PlanTask) => boolean) => {
  for (const plan of plans()) for (const task of plan.tasks.values()) if (condition(task)) return { plan, task };
  throw new Error('There is no such task.');
};
const newReplica = () => new Replica(openGraphSource(connection), object);
const propertiesIn = (replica: Replica, id: string): unknown =>
  JSON.parse(String(replica.items.get(id)?.bytes.get('properties')));

test('lists the groups that have plans, each once, and no others', async () => {
  const groups = tenant.tenant.directory.groups.filter(({ kind }) => kind === 'microsoft365');
  const withPlans = groups.filter(({ id }) => tenant.tenant.planner.of(id).length > 0);
  const listed = await objectsIn(openGraphSource(connection), 'planner');
  expect(listed.map(({ id }) => id).sort()).toEqual(withPlans.map(({ id }) => id).sort());
  expect(object).toMatchObject({ kind: 'planner', owner: `group/${object.id}` });
});

test('reads plans, buckets and tasks, in buckets or in none, with their details', async () => {
  const replica = newReplica();
  await replica.read();
  expect([...replica.items.keys()].sort()).toEqual(idsOf(plans()));
  const { plan, task } = anyOf(
    ({ bucketId, details }) => bucketId !== null && details.properties['description'] !== '',
  );
  expect(replica.items.get(task.id)?.item).toMatchObject({
    kind: 'plan-task',
    name: task.properties['title'],
    parentId: task.bucketId,
  });
  expect(propertiesIn(replica, task.id)).toMatchObject({ ...task.properties, details: task.details.properties });
  expect(propertiesIn(replica, plan.id)).toMatchObject({ title: plan.title, details: plan.details.properties });
  const loose = anyOf(({ bucketId }) => bucketId === null);
  expect(replica.items.get(loose.task.id)?.item.parentId).toBe(loose.plan.id);
});

test('a round in which nothing changed gives no item, and one after changes what changed and moved', async () => {
  const replica = newReplica();
  await replica.read();
  await replica.read();
  expect(replica.events.filter(({ type }) => type === 'cursor' || type === 'scan-begin')).toHaveLength(1);
  const { plan, task } = anyOf(({ bucketId }) => bucketId !== null);
  // The etag of a task says nothing of its description.
  task.details.properties = { ...task.details.properties, description: 'Written again' };
  task.details.change += 1;
  const [gone, moved] = [...plan.tasks.values()].filter((one) => one !== task && one.bucketId !== null);
  plan.tasks.delete(gone?.id ?? '');
  const bucket = [...plan.buckets.keys()].find((id) => id !== moved?.bucketId);
  Object.assign(moved ?? {}, { bucketId: bucket, change: 2 });
  await replica.read();
  expect(propertiesIn(replica, task.id)).toMatchObject({ details: { description: 'Written again' } });
  expect(replica.items.has(gone?.id ?? '')).toBe(false);
  expect(replica.items.get(moved?.id ?? '')?.item.parentId).toBe(bucket);
});

test('a plan that is deleted goes with all that was in it', async () => {
  const replica = newReplica();
  await replica.read();
  const [plan] = plans();
  if (plan === undefined) throw new Error('The group has no plan.');
  tenant.tenant.planner.remove(plan);
  await replica.read();
  expect([...replica.items.keys()].sort()).toEqual(idsOf(plans()));
});

test('a task whose details are refused is lost alone, and read as soon as they are given', async () => {
  const { task } = anyOf(({ bucketId }) => bucketId !== null);
  const fault = { kind: 'corrupt', path: `/planner/tasks/${task.id}/details` } as const;
  tenant.setFaults([fault]);
  const replica = newReplica();
  await replica.read();
  expect([...replica.lost.keys()]).toEqual([task.id]);
  expect(replica.items.size).toBe(idsOf(plans()).length - 1);
  await replica.read();
  expect(replica.events.filter(({ type }) => type === 'lost')).toHaveLength(1);
  tenant.setFaults([]);
  await replica.read();
  expect(replica.lost.size).toBe(0);
  expect(replica.items.has(task.id)).toBe(true);
});

test('a plan that cannot be read is named, keeps what is stored, and stops no other', async () => {
  const replica = newReplica();
  await replica.read();
  const [plan] = plans();
  if (plan === undefined) throw new Error('The group has no plan.');
  tenant.tenant.planner
    .of(object.id)
    .push({ ...plan, id: 'second', title: 'Second', buckets: new Map(), tasks: new Map() });
  tenant.setFaults([{ kind: 'corrupt', path: `/planner/plans/${plan.id}/tasks` }]);
  await replica.read();
  expect(replica.failures).toEqual([expect.stringContaining(`the plan ‘${plan.title}’`)]);
  expect([...replica.items.keys()].sort()).toEqual([...idsOf([plan]), 'second'].sort());
});
