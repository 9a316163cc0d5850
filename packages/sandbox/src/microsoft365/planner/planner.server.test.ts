import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { type JsonObject, objectOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let group = '';

beforeAll(async () => {
  tenant = await startTenant();
  client = await TenantClient.signIn(tenant);
  group = tenant.tenant.directory.groups.find(({ kind }) => kind === 'microsoft365')?.id ?? '';
});
afterAll(() => tenant.stop());

const listed = async (path: string) => (await client.drain(path)).value;
const etagOf = (entity: unknown) => textOf(valueAt(entity, '@odata.etag')) ?? '';
const idOf = (entity: unknown) => textOf(valueAt(entity, 'id')) ?? '';
const planOf = async () => (await listed(`/groups/${group}/planner/plans`))[0] ?? {};
const hintsOf = (of: unknown) => Object.values(objectOf(of)).map((one) => String(valueAt(one, 'orderHint')));

const make = async (path: string, body: object) => {
  const made = await client.ask('POST', path, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return objectOf(made.body);
};
const change = (path: string, entity: unknown, body: object) =>
  client.ask('PATCH', path, body, { 'if-match': etagOf(entity), prefer: 'return=representation' });

test('plans of a group have buckets, and tasks over several pages with details of their own', async () => {
  const plan = await planOf();
  expect(plan).toMatchObject({ container: { containerId: group, type: 'group' } });
  const path = `/planner/plans/${idOf(plan)}`;
  expect((await listed(`${path}/buckets`)).length).toBeGreaterThan(1);
  expect((await client.get(`${path}/details`)).body).toMatchObject({ categoryDescriptions: { category1: 'Indoors' } });
  const tasks = await listed(`${path}/tasks`);
  expect(tasks.length).toBeGreaterThan(3);
  for (const task of tasks) {
    const { body } = await client.get(`/planner/tasks/${idOf(task)}/details`);
    expect(body).toMatchObject({ id: task['id'], description: expect.any(String), checklist: {}, references: {} });
    expect(etagOf(body)).not.toBe(etagOf(task));
  }
});

test('a plan is made in a group, and what is in it is ordered by hints', async () => {
  const plan = await make('/planner/plans', { title: 'New', container: { containerId: group, type: 'group' } });
  const planId = idOf(plan);
  const first = await make('/planner/buckets', { planId, name: 'First' });
  const last = await make('/planner/buckets', { planId, name: 'Last', orderHint: `${first['orderHint']} !` });
  const between = `${first['orderHint']} ${last['orderHint']}!`;
  await make('/planner/buckets', { planId, name: 'Between', orderHint: between });
  const buckets = await listed(`/planner/plans/${planId}/buckets`);
  expect(buckets.map(({ name }) => name)).toEqual(['First', 'Between', 'Last']);
  const task = await make('/planner/tasks', { planId, bucketId: idOf(last), title: 'Do it', percentComplete: 100 });
  expect(task).toMatchObject({ completedDateTime: expect.any(String), priority: 5, assignments: {} });
  const sent = (orderHint: string) => ({ planId, title: 'Wrong', orderHint });
  for (const hint of [String(task['orderHint']), 'b a!'])
    expect((await client.ask('POST', '/planner/tasks', sent(hint))).status).toBe(400);
  expect((await client.ask('POST', '/planner/tasks', { planId, bucketId: 'elsewhere', title: 'Wrong' })).status).toBe(
    400,
  );
});

test('details are changed by who names the etag they were read with', async () => {
  const [task] = await listed(`/planner/plans/${idOf(await planOf())}/tasks`);
  const path = `/planner/tasks/${idOf(task)}/details`;
  const details = (await client.get(path)).body;
  const step = {
    '@odata.type': '#microsoft.graph.plannerChecklistItem',
    title: 'Ask',
    isChecked: true,
    orderHint: ' !',
  };
  const link = { '@odata.type': '#microsoft.graph.plannerExternalReference', alias: 'Plan', previewPriority: ' !' };
  const body = {
    description: 'New',
    checklist: { '3a73c9dd-fb47-4230-9c0f-b80788fb0f9b': step },
    references: { 'https%3A//contoso%2Eexample/plan': link },
  };
  const changed = await change(path, details, body);
  expect(changed.body).toMatchObject({ description: 'New', references: { 'https%3A//contoso%2Eexample/plan': {} } });
  expect(hintsOf(valueAt(changed.body, 'checklist'))).not.toContain(' !');
  expect((await change(path, details, { description: 'Late' })).status).toBe(412);
  const bare = { references: { 'https://contoso.example': link } };
  expect((await change(path, changed.body, bare)).status).toBe(400);
  const steps = Array.from({ length: 21 }, (_, at): [string, JsonObject] => [`step-${at}`, step]);
  const tooMany = await change(path, changed.body, { checklist: Object.fromEntries(steps) });
  expect([tooMany.status, valueAt(tooMany.body, 'error/code')]).toEqual([403, 'MaximumChecklistItemsOnTask']);
});

test('an assignment needs its type, a hint, and a user who is there', async () => {
  const planId = idOf(await planOf());
  const [user] = tenant.tenant.directory.users;
  const assigned = { '@odata.type': '#microsoft.graph.plannerAssignment', orderHint: ' !' };
  const statusOf = async (assignments: object) =>
    (await client.ask('POST', '/planner/tasks', { planId, title: 'Assigned', assignments })).status;
  expect(await statusOf({ [user?.id ?? '']: assigned })).toBe(201);
  expect(await statusOf({ [user?.id ?? '']: { orderHint: ' !' } })).toBe(400);
  expect(await statusOf({ 'b108ebf3-4e22-b93d-5234-dae5874656d7': assigned })).toBe(400);
});

test('reading and writing need their permissions', async () => {
  const statusOf = async (permissions: readonly string[], method: string, path: string) => {
    const application = tenant.registerApplication(permissions);
    return (
      await (await TenantClient.signIn({ ...tenant, application })).ask(method, path, method === 'GET' ? undefined : {})
    ).status;
  };
  const plans = `/groups/${group}/planner/plans`;
  expect(await statusOf(['Group.Read.All'], 'GET', plans)).toBe(403);
  expect(await statusOf(['Tasks.Read.All'], 'GET', plans)).toBe(200);
  expect(await statusOf(['Tasks.Read.All'], 'POST', '/planner/tasks')).toBe(403);
});
