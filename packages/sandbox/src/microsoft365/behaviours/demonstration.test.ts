import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { behaveAsRealTenants } from './demonstration.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant();
  behaveAsRealTenants(tenant.tenant);
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

test('a demonstration has a site that is locked, one that moved and a mailbox that is closed, and most others are open', async () => {
  const statusOf = async (path: string) => (await client.get(path)).status;
  const sites = await Promise.all(tenant.tenant.sites.all().map(({ id }) => statusOf(`/sites/${id}`)));
  for (const refused of [423, 403, 301]) expect(sites.filter((status) => status === refused).length).toBe(1);
  expect(sites.filter((status) => status === 200).length).toBeGreaterThan(sites.length / 2);
  const users = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  const inboxes: number[] = [];
  for (const { id } of users) inboxes.push(await statusOf(`/users/${id}/mailFolders/inbox`));
  expect(inboxes.filter((status) => status === 403).length).toBe(1);
});

/** Why a behaviour is off, and which test of the engine (`packages/engine/src/source/graph`) switches it on. */
const OFF: Readonly<Record<string, { why: string; test: string }>> = {
  blockedApplications: {
    why: 'No application could sign in.',
    test: 'sign-in/sign-in.server.test.ts',
  },
  claimsChallenges: {
    why: 'Requests by hand would be refused with each new token; a program that answers the challenge shows nothing of it.',
    test: 'sign-in/sign-in.server.test.ts',
  },
  endlessDeltas: {
    why: 'It is for the whole tenant, in which no list would come to its end.',
    test: 'delta/unreported-removals.server.test.ts',
  },
  expiredSkipTokens: {
    why: 'It is for the whole tenant, in which no channel of more than a page would be read to its end.',
    test: 'team/read-team.server.test.ts',
  },
  fullMailboxes: {
    why: 'Nothing could be restored into such a mailbox, which a demonstration does.',
    test: 'refused-writes.server.test.ts',
  },
  missingTombstones: {
    why: 'It is for the whole tenant: what a user deletes would stay in all restore points of the next month.',
    test: 'delta/unreported-removals.server.test.ts',
  },
  readOnlySites: {
    why: 'Nothing could be restored into such a site, which a demonstration does.',
    test: 'refused-writes.server.test.ts',
  },
  unlistedChannels: {
    why: 'A channel that no list has named yet is not known: a first backup would be without it.',
    test: 'team/read-team.server.test.ts',
  },
};

test('all behaviours are on but those of which it is said why not, and which test has them', () => {
  const off = Object.entries(tenant.tenant.behaviours).filter(([, where]) => where === false);
  expect(off.map(([name]) => name).sort()).toEqual(Object.keys(OFF));
  const engine = new URL('../../../../engine/src/source/graph/', import.meta.url);
  for (const [name, { test: file }] of Object.entries(OFF))
    expect(readFileSync(new URL(file, engine), 'utf8')).toMatch(new RegExp(`behaviours\\.${name} = (true|\\[)`));
});

test('a search folder says what it is, among the folders of a person', async () => {
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
  const { value } = await client.drain(`/users/${user?.id}/mailFolders/delta?$select=id`);
  expect(value.filter((folder) => folder['@odata.type'] === '#microsoft.graph.mailSearchFolder')).toHaveLength(1);
});

test('a deleted folder is named alone, and a delta without its end has no link', async () => {
  const drive = [...tenant.tenant.drives.all()].find((one) =>
    [...one.all()].some(({ kind, parent }) => kind === 'folder' && parent !== undefined),
  );
  if (drive === undefined) throw new Error('No drive has a folder.');
  const path = `/drives/${drive.facts.id}/root/delta`;
  const { deltaLink = '' } = await client.drain(path);
  const folder = [...drive.all()].find((item) => item.kind === 'folder' && item.parent === drive.root);
  if (folder === undefined) throw new Error('The drive has no folder.');
  drive.remove(folder);
  const removed = (await client.drain(deltaLink)).value.filter((item) => 'deleted' in item);
  expect(removed.map(({ id }) => id)).toEqual([folder.id]);
  tenant.tenant.behaviours.endlessDeltas = true;
  expect((await client.drain(deltaLink)).deltaLink).toBeUndefined();
});
