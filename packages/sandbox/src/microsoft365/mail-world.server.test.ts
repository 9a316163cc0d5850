import { expect, test } from 'vitest';
import { type RunningTenant, startTenant, type TenantOptions } from './server.ts';
import { TenantClient } from './testing/tenant-client.ts';
import { textOf } from './wire/json.ts';

const now = () => new Date('2026-11-21T09:00:00Z');

/** People, groups and what is in a mailbox, as a client reads them, without addresses of the server. */
async function mailWorldOf(tenant: RunningTenant): Promise<string> {
  const client = await TenantClient.signIn(tenant);
  const texts: string[] = [];
  const read = async (path: string) => {
    const { value } = await client.drain(path, { prefer: 'odata.maxpagesize=500' });
    texts.push(...value.map((entity) => JSON.stringify(entity)));
    return value;
  };
  const users = await read('/users');
  await read('/groups');
  const persons = users.filter(({ mail }) => typeof mail === 'string').slice(0, 1);
  for (const { id } of persons) {
    const user = `/users/${textOf(id)}`;
    for (const folder of await read(`${user}/mailFolders?includeHiddenFolders=true`))
      await read(`${user}/mailFolders/${textOf(folder['id'])}/messages`);
    for (const calendar of await read(`${user}/calendars`))
      await read(`${user}/calendars/${textOf(calendar['id'])}/events`);
    await read(`${user}/contacts`);
    for (const list of await read(`${user}/todo/lists`)) await read(`${user}/todo/lists/${textOf(list['id'])}/tasks`);
  }
  return texts
    .join('\n')
    .replaceAll(tenant.url, '')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '');
}

async function worldsOf(
  ...tenants: [TenantOptions, (tenant: RunningTenant) => Promise<void> | void][]
): Promise<string[]> {
  const worlds: string[] = [];
  for (const [options, live] of tenants) {
    const tenant = await startTenant({ now, budgets: false, ...options });
    try {
      await live(tenant);
      worlds.push(await mailWorldOf(tenant));
    } finally {
      await tenant.stop();
    }
  }
  return worlds;
}

const still = () => undefined;

test('the same seed and size give the same people and mailboxes to the letter; another seed or size gives others', async () => {
  const [one, other, otherSeed, medium] = await worldsOf(
    [{ seed: 5 }, still],
    [{ seed: 5 }, still],
    [{ seed: 6 }, still],
    [{ seed: 5, size: 'medium' }, still],
  );
  expect(one).toBe(other);
  expect(otherSeed).not.toBe(one);
  expect(medium).not.toBe(one);
  expect((one ?? '').split('\n').length).toBeGreaterThan(50);
});

test('time changes a world in the same way, in one step or many, whatever is read in between', async () => {
  const [before, atOnce, inSteps, watched] = await worldsOf(
    [{}, still],
    [{}, (tenant) => tenant.evolve(180)],
    [
      {},
      (tenant) => {
        for (const steps of [50, 1, 0, 129]) tenant.evolve(steps);
      },
    ],
    [
      {},
      async (tenant) => {
        await mailWorldOf(tenant);
        tenant.evolve(90);
        await mailWorldOf(tenant);
        tenant.evolve(90);
      },
    ],
  );
  expect(atOnce).not.toBe(before);
  expect(inSteps).toBe(atOnce);
  expect(watched).toBe(atOnce);
});
