import { afterEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../../model/outcome.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { connectTo, startConnected } from '../../../testing/graph/graph-tenant.ts';
import type { Selection } from '../../source.ts';
import { openGraphSource } from '../graph-source.ts';

const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

const EVERYTHING: Selection = {
  scope: 'everything',
  kinds: ['mailbox', 'archive', 'drive', 'site', 'team', 'chats', 'planner'],
  include: [],
  exclude: [],
  personalSites: false,
};

async function listing() {
  const { tenant, connection } = await startConnected();
  open.push(tenant);
  const source = openGraphSource(connection);
  const list = async (selection: Partial<Selection>) => {
    const objects: ProtectedObject[] = [];
    const alerts: Alert[] = [];
    for await (const found of source.listObjects({ ...EVERYTHING, ...selection }, new AbortController().signal)) {
      if ('kind' in found) objects.push(found);
      else alerts.push(found);
    }
    return { objects, alerts };
  };
  return { tenant, list };
}

const keys = (objects: readonly ProtectedObject[]) => objects.map(({ kind, id }) => `${kind}/${id}`);

describe('The objects of a tenant', () => {
  it('are listed once each, in the same order every time', async () => {
    const { list } = await listing();
    const { objects } = await list({});
    expect(new Set(keys(objects)).size).toBe(objects.length);
    expect(keys((await list({})).objects)).toEqual(keys(objects));
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(EVERYTHING.kinds));
  });

  it('can be whole lists beside single objects, with the kinds that each asks for', async () => {
    const { tenant, list } = await listing();
    const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
    const whole = await list({ kinds: ['mailbox', 'drive', 'site'], personalSites: true });
    const selected = (include: Selection['include']) =>
      list({ scope: 'selected', kinds: ['mailbox', 'drive', 'site'], personalSites: true, include });
    const sites = whole.objects.filter(({ kind }) => kind === 'site');
    const isPersonal = ({ address }: ProtectedObject) => /\/personal\//.test(address ?? '');
    const some = await selected([
      { type: 'all', id: 'sites', kinds: ['site'] },
      { type: 'user', id: user?.id ?? '', kinds: ['mailbox'] },
    ]);
    expect(keys(some.objects).sort()).toEqual(
      [...keys(sites.filter((site) => !isPersonal(site))), `mailbox/${user?.id}`].sort(),
    );
    const personal = await selected([
      { type: 'all', id: 'users', kinds: ['drive'] },
      { type: 'all', id: 'personal-sites', kinds: ['site'] },
    ]);
    expect(keys(personal.objects.filter(({ kind }) => kind === 'site'))).toEqual(keys(sites.filter(isPersonal)));
    expect(personal.objects.filter(({ kind }) => kind === 'drive').length).toBeGreaterThan(0);
    const groups = await selected([{ type: 'all', id: 'groups', kinds: ['mailbox'] }]);
    expect(groups.objects.every(({ owner }) => owner?.startsWith('group/'))).toBe(true);
    expect(groups.objects.length).toBeGreaterThan(0);
  });

  it('hold a mailbox for everybody who has one, shared ones and Microsoft 365 groups too, and none for guests', async () => {
    const { tenant, list } = await listing();
    const { objects } = await list({ kinds: ['mailbox'] });
    const { users, groups } = tenant.tenant.directory;
    const owners = users.filter(({ mailbox }) => mailbox !== null).map(({ id }) => id);
    const unified = groups.filter(({ kind }) => kind === 'microsoft365').map(({ id }) => id);
    expect(objects.map(({ id }) => id).sort()).toEqual([...owners, ...unified].sort());
    expect(objects.filter(({ owner }) => owner !== null).map(({ id, owner }) => [id, owner])).toEqual(
      unified.map((id) => [id, `group/${id}`]),
    );
  });

  it('are those of persons, with an alert about the groups, where the application may not find groups', async () => {
    const { tenant } = await listing();
    const { clientId, clientSecret } = tenant.registerApplication(['User.Read.All', 'Mail.Read']);
    const connection = connectTo(tenant, { applications: [{ clientId, secret: clientSecret }] });
    const found: (ProtectedObject | Alert)[] = [];
    const selection: Selection = { ...EVERYTHING, kinds: ['mailbox'] };
    for await (const one of openGraphSource(connection).listObjects(selection, new AbortController().signal))
      found.push(one);
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter((one) => !('kind' in one))).toMatchObject([{ code: 'groups-not-readable' }]);
  });

  it('include personal sites only on request', async () => {
    const { list } = await listing();
    const { objects: without } = await list({ kinds: ['site'] });
    const { objects: all } = await list({ kinds: ['site'], personalSites: true });
    const personal = keys(all).filter((key) => !keys(without).includes(key));
    expect(personal.length).toBeGreaterThan(0);
    expect(all.length).toBe(without.length + personal.length);
  });

  it('are those of a group’s members and its own mailbox when the group is selected, without those excluded', async () => {
    const { tenant, list } = await listing();
    const group = tenant.tenant.directory.groups.find(({ memberIds }) => memberIds.length > 1);
    const include = [{ type: 'group', id: group?.id ?? '' }] as const;
    const { objects } = await list({ scope: 'selected', kinds: ['mailbox', 'drive'], include });
    const [own, first] = objects;
    expect(own).toMatchObject({ kind: 'mailbox', id: group?.id, address: group?.mail });
    const exclude = [{ type: 'user', id: first?.id ?? '', kinds: ['mailbox'] }] as const;
    const { objects: left } = await list({ scope: 'selected', kinds: ['mailbox', 'drive'], include, exclude });
    expect(keys(left)).toEqual(keys(objects).filter((key) => key !== `mailbox/${first?.id}`));
  });

  it('are found by address and by URL, and an alert names a selected one that is gone', async () => {
    const { tenant, list } = await listing();
    const user = tenant.tenant.directory.users.find(({ mail, mailbox }) => mail !== null && mailbox !== null);
    const include = [
      { type: 'user', id: user?.userPrincipalName ?? '' },
      { type: 'user', id: 'unknown@contoso.onmicrosoft.com' },
    ] as const;
    const { objects, alerts } = await list({ scope: 'selected', kinds: ['mailbox'], include });
    expect(objects.map(({ id }) => id)).toEqual([user?.id]);
    expect(alerts).toMatchObject([{ code: 'selected-object-gone', message: /unknown@contoso/ }]);
  });
});
