import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { connectTo, startConnected } from '../../../testing/graph/graph-tenant.ts';
import type { Selection } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

async function list(connection: GraphConnection, selection: Partial<Selection>): Promise<ProtectedObject[]> {
  const everything = { scope: 'everything', kinds: ['drive', 'site', 'team'], include: [], exclude: [] } as const;
  const objects: ProtectedObject[] = [];
  const whole = { ...everything, personalSites: false, ...selection };
  for await (const found of openGraphSource(connection).listObjects(whole, new AbortController().signal)) {
    if ('kind' in found) objects.push(found);
    else expect.fail(found.message);
  }
  return objects;
}

test('sites below others are objects too, of all the tenant and of one selected site', async () => {
  const { tenant: started, connection } = await startConnected();
  tenant = started;
  const below = started.tenant.sites.all().find(({ parent }) => parent !== undefined);
  const key = `site/${below?.id}`;
  const keys = async (selection: Partial<Selection>) =>
    (await list(connection, { kinds: ['site'], ...selection })).map(({ kind, id }) => `${kind}/${id}`);
  expect(await keys({})).toContain(key);
  const include = [{ type: 'site', id: below?.parent?.id ?? '' }] as const;
  expect(await keys({ scope: 'selected', include })).toEqual([`site/${below?.parent?.id}`, key]);
});

test('libraries that the server keeps for itself, with the pictures of pages, are drives', async () => {
  const { tenant: started, connection } = await startConnected();
  tenant = started;
  const drives = await list(connection, { kinds: ['drive'] });
  expect(drives.map(({ name }) => name)).toContain('Intranet: Site Assets');
});

test('the files of private and shared channels belong to the team, and come with a selected team', async () => {
  const { tenant: started, connection } = await startConnected();
  tenant = started;
  const { directory, teams: known } = started.tenant;
  const teams = directory.groups.flatMap(({ id }) => known.find(id) ?? []);
  const team = teams.find(({ channels }) =>
    [...channels.values()].some(({ membershipType }) => membershipType !== 'standard'),
  );
  const own = [...(team?.channels.values() ?? [])].filter(({ membershipType }) => membershipType !== 'standard');
  const channelDrives = own.map((channel) => channel.drive().facts.id).sort();
  expect(channelDrives.length).toBeGreaterThan(0);
  const include = [{ type: 'team', id: team?.id ?? '' }] as const;
  const ofTeam = await list(connection, { scope: 'selected', include });
  const found = (objects: readonly ProtectedObject[]) =>
    objects.filter(({ id, owner }) => channelDrives.includes(id) && owner === `team/${team?.id}`).map(({ id }) => id);
  expect(found(ofTeam).sort()).toEqual(channelDrives);
  expect(found(await list(connection, {})).sort()).toEqual(channelDrives);
});

test('an application that may not see channels and backs up all sites has their files with the sites, without an alert', async () => {
  const { tenant: started } = await startConnected();
  tenant = started;
  const { clientId, clientSecret } = started.registerApplication([
    'Group.Read.All',
    'Sites.Read.All',
    'User.Read.All',
    'Files.Read.All',
    'Mail.Read',
  ]);
  const connection = connectTo(started, { applications: [{ clientId, secret: clientSecret }] });
  const kinds = ['drive', 'mailbox'] as const;
  expect((await list(connection, { kinds })).length).toBeGreaterThan(5);
});
