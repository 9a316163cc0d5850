import { afterEach, beforeEach, expect, test } from 'vitest';
import { byHint, type Plan, type PlanTask } from '../../../sandbox/src/microsoft365/planner/plan.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { restoreRequest } from '../engine/restore-request.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { objectOf } from '../source/graph/json.ts';
import { GraphPlanner } from '../source/graph/write-planner/graph-planner.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { journalFile } from './journal-files.ts';
import { PlannerPlace } from './places/planner-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { dyingTarget } from './testing/dying-target.ts';
import { KILLED } from './testing/memory-mailbox.ts';

let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
let object: ProtectedObject;

beforeEach(async () => {
  stored = await StoredBackup.create();
  ({ tenant, connection } = await startConnected());
  const source = openGraphSource(connection);
  [object] = (await objectsIn(source, 'planner')) as [ProtectedObject];
  await stored.backUpFrom(source, 'planner');
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

type Dying = (target: GraphPlanner) => GraphPlanner;

async function restorePlans(options: Partial<RestoreOptions> = {}, to = object.id, dying?: Dying, journal?: string) {
  const { repository, catalog } = stored;
  const { signal } = new AbortController();
  const scope = await stored.scopeOf(object);
  const order = { scope, options: { ...RESTORE_OPTIONS, ...options }, to };
  const request = await restoreRequest({ repository, catalog }, connection, order, signal);
  const failed: string[] = [];
  const parts = { repository, catalog, signal };
  const reporting = {
    ...parts,
    ...(journal === undefined ? {} : { journals: journalFile(journal) }),
    onItem: (item: { outcome: string; name: string; reason?: string }) =>
      void (item.outcome === 'failed' && failed.push(`${item.name}: ${item.reason}`)),
  };
  const place: typeof request.place = (paths, until) => {
    if (dying === undefined) return request.place(paths, until);
    return new PlannerPlace(dying(new GraphPlanner(connection, to)), paths, { parts, scope }, null, until);
  };
  return { result: await restore(reporting, { ...request, place }), failed };
}

const plans = (group = object.id) => tenant.tenant.planner.of(group);
const firstPlan = () => plans()[0] as Plan;

const orderedBy = (members: unknown, hint: string) =>
  Object.entries(objectOf(members)).sort(([, one], [, other]) =>
    String(objectOf(one)[hint]) < String(objectOf(other)[hint]) ? -1 : 1,
  );

/** All that users see of a task. */
function shown({ properties, details }: PlanTask) {
  const { title, percentComplete, priority, startDateTime, dueDateTime, appliedCategories, assignments } = properties;
  const steps = orderedBy(details.properties['checklist'], 'orderHint').map(([, step]) => [
    objectOf(step)['title'],
    objectOf(step)['isChecked'],
  ]);
  const links = orderedBy(details.properties['references'], 'previewPriority').map(([url, link]) => [
    url,
    objectOf(link)['alias'],
    objectOf(link)['type'],
  ]);
  const assigned = orderedBy(assignments, 'orderHint').map(([user]) => user);
  const { description } = details.properties;
  return [
    [title, percentComplete, priority, startDateTime ?? null, dueDateTime ?? null],
    appliedCategories,
    assigned,
    description,
    steps,
    links,
  ];
}

const tasksIn = ({ tasks }: Plan, bucketId: string | null) =>
  [...tasks.values()]
    .filter((task) => task.bucketId === bucketId)
    .map((task) => ({ task, orderHint: String(task.properties['orderHint']) }))
    .sort(byHint)
    .map(({ task }) => shown(task));

const board = (plan: Plan) => [
  ...[...plan.buckets.values()].sort(byHint).map(({ id, name }) => [name, tasksIn(plan, id)]),
  tasksIn(plan, null),
];
const labelsOf = ({ details }: Plan) =>
  Object.entries(objectOf(details.properties['categoryDescriptions'])).filter(([, name]) => name !== null);

test('a plan that is gone comes back as a new one, with buckets, tasks and labels in their order', async () => {
  const plan = firstPlan();
  const before = board(plan);
  tenant.tenant.planner.remove(plan);
  const { result, failed } = await restorePlans();
  expect(failed).toEqual([]);
  expect(result.restored).toBe(plan.tasks.size);
  const made = plans().find(({ title }) => title === plan.title) as Plan;
  expect(made.id).not.toBe(plan.id);
  expect(board(made)).toEqual(before);
  expect(labelsOf(made)).toEqual(labelsOf(plan));
  const again = await restorePlans();
  expect(again.result).toMatchObject({ restored: 0, failed: 0 });
  expect(made.tasks.size).toBe(plan.tasks.size);
});

test('tasks that are gone come back among those that are there, in their places', async () => {
  const plan = firstPlan();
  const before = board(plan);
  const tasks = [...plan.tasks.values()];
  const [bucket] = plan.buckets.keys();
  const gone = tasks.filter(({ bucketId }, at) => bucketId === bucket || at % 3 === 0);
  for (const { id } of gone) plan.tasks.delete(id);
  plan.buckets.delete(bucket ?? '');
  const { result, failed } = await restorePlans();
  expect(failed).toEqual([]);
  expect(result.restored).toBe(gone.length);
  expect(board(plan)).toEqual(before);
});

test('a task that is gone is not mistaken for another of its title that is there, whichever is looked for first', async () => {
  const plan = firstPlan();
  const [one, other] = [...plan.tasks.values()] as [PlanTask, PlanTask];
  const pair = (properties = {}) => ({ ...properties, title: 'Water the plants' });
  for (const task of [one, other]) Object.assign(task, { bucketId: null, properties: pair(task.properties) });
  await stored.backUpFrom(openGraphSource(connection), 'planner');
  const before = board(plan);
  for (const [gone, there] of [
    [one, other],
    [other, one],
  ] as const) {
    const tasks = new Map(plan.tasks);
    const untouched = { ...there.properties };
    plan.tasks.delete(gone.id);
    expect((await restorePlans()).result).toMatchObject({ restored: 1, replaced: 0, failed: 0 });
    expect(board(plan)).toEqual(before);
    expect(plan.tasks.get(there.id)?.properties).toEqual(untouched);
    plan.tasks = tasks;
  }
});

test('a task that changed stays, becomes what it was, or gets what it was beside it', async () => {
  const plan = firstPlan();
  const before = board(plan);
  const [task] = [...plan.tasks.values()].filter(({ bucketId }) => bucketId !== null);
  if (task === undefined) throw new Error('The plan has no task.');
  const [user] = tenant.tenant.directory.users;
  const assigned = { '@odata.type': '#microsoft.graph.plannerAssignment', orderHint: 'Z' };
  const bucketId = [...plan.buckets.keys()].find((id) => id !== task.bucketId) ?? null;
  Object.assign(task, { bucketId, change: 2 });
  task.properties = {
    ...task.properties,
    percentComplete: 50,
    priority: 0,
    appliedCategories: { category7: true },
    assignments: { [user?.id ?? '']: assigned },
  };
  const step = { '@odata.type': '#microsoft.graph.plannerChecklistItem', title: 'Another', orderHint: 'A' };
  task.details.properties = { ...task.details.properties, description: 'Another', checklist: { another: step } };
  const changed = board(plan);
  expect((await restorePlans()).result).toMatchObject({ restored: 0, replaced: 0, failed: 0 });
  expect(board(plan)).toEqual(changed);
  expect((await restorePlans({ conflict: 'replace' })).result).toMatchObject({ replaced: 1, failed: 0 });
  expect(board(plan)).toEqual(before);
  expect((await restorePlans({ conflict: 'replace' })).result).toMatchObject({ replaced: 0, failed: 0 });
});

test('who left is not assigned again, and that is reported as lost', async () => {
  const plan = firstPlan();
  const task = [...plan.tasks.values()].find(
    ({ properties }) => Object.keys(objectOf(properties['assignments'])).length > 0,
  );
  const user = tenant.tenant.directory.user(Object.keys(objectOf(task?.properties['assignments']))[0] ?? '');
  tenant.tenant.directory.putUser({ ...user, deletedMs: tenant.tenant.nowMs() });
  tenant.tenant.planner.remove(plan);
  const { result, failed } = await restorePlans();
  expect(failed).toEqual([]);
  expect(JSON.stringify(result)).toContain('assignments to users who are not there any more');
  expect((await restorePlans({ conflict: 'replace' })).result).toMatchObject({ restored: 0, replaced: 0 });
});

test('plans go into another group, and with a folder under another title', async () => {
  const other = tenant.tenant.directory.groups.findLast(({ kind }) => kind === 'microsoft365')?.id ?? '';
  const there = plans(other).length;
  const { failed } = await restorePlans({ into: 'Restored' }, other);
  expect(failed).toEqual([]);
  const made = plans(other).slice(there);
  expect(made.map(({ title }) => title)).toEqual(
    plans()
      .slice(0, made.length)
      .map(({ title }) => `${title} (Restored)`),
  );
  expect(made.map(board)).toEqual(plans().slice(0, made.length).map(board));
});

test('killed again and again, a restore makes no task twice and leaves none out', { timeout: 120_000 }, async () => {
  const plan = firstPlan();
  const before = board(plan);
  tenant.tenant.planner.remove(plan);
  const journal = stored.file('restore.jsonl');
  let kills = 0;
  for (let isOver = false; !isOver; ) {
    const dying: Dying = kills < 12 ? (one) => dyingTarget(one, 3 + 4 * kills, kills % 2 === 1) : (one) => one;
    isOver = await restorePlans({}, undefined, dying, journal).then(
      ({ failed }) => {
        expect(failed).toEqual([]);
        return true;
      },
      (error: unknown) => {
        if (error !== KILLED) throw error;
        kills += 1;
        return false;
      },
    );
  }
  expect(kills).toBeGreaterThan(5);
  const made = plans().filter(({ title }) => title === plan.title);
  expect(made.map(board)).toEqual([before]);
  expect(made.map(labelsOf)).toEqual([labelsOf(plan)]);
});
