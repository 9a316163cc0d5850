import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { allTeams } from '../../../../../sandbox/src/microsoft365/teams/team-making.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { connectTo, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { jsonReply } from '../../../testing/made-reply.ts';
import type { ListingNote, Selection } from '../../source.ts';
import { openGraphSource } from '../graph-source.ts';
import { type HttpReply, openTransport, type Send } from '../requests/transport.ts';

let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

const ALL: Selection = {
  scope: 'everything',
  kinds: ['mailbox', 'archive', 'drive', 'site', 'team', 'chats', 'planner'],
  include: [],
  exclude: [],
  personalSites: false,
};

async function listing(send?: Send) {
  const { tenant: started, connection: direct } = await startConnected();
  tenant = started;
  const connection = send === undefined ? direct : connectTo(started, { send });
  const list = async (selection: Partial<Selection> = {}) => {
    const keys: string[] = [];
    const notes: ListingNote[] = [];
    const found: AsyncIterable<ProtectedObject | ListingNote> = openGraphSource(connection).listObjects(
      { ...ALL, ...selection },
      new AbortController().signal,
    );
    for await (const one of found) {
      if ('kind' in one) keys.push(`${one.kind}/${one.id}`);
      else notes.push(one);
    }
    return { keys, notes };
  };
  return { tenant: started, list };
}

const refusedOf = (notes: readonly ListingNote[]) => notes.flatMap(({ unlisted }) => unlisted?.name ?? []);

test('sites that are locked, archived or moved stop only themselves, and each is named', async () => {
  const { tenant, list } = await listing();
  const before = await list();
  const all = tenant.tenant.sites.all();
  const hasNone = (site: (typeof all)[number]) => all.every(({ parent }) => parent !== site);
  const sites = all.filter((site) => !site.facts.groupId && !site.isPersonal && !site.parent && hasNone(site));
  const [locked, archived, moved] = sites;
  tenant.tenant.behaviours.lockedSites = [locked?.id ?? ''];
  tenant.tenant.behaviours.archivedSites = [archived?.id ?? ''];
  tenant.tenant.behaviours.redirectedSites = [moved?.id ?? ''];
  const { keys, notes } = await list();
  const closed = [locked, archived, moved].flatMap((site) => (site === undefined ? [] : [site]));
  expect(refusedOf(notes)).toEqual(expect.arrayContaining(closed.map(({ facts }) => facts.displayName)));
  expect(notes.find(({ unlisted }) => unlisted?.subject === `site/${locked?.id.toLowerCase()}`)?.message).toMatch(
    /423/,
  );
  const drives = closed.flatMap(({ lists }) => [...lists.values()].flatMap(({ drive }) => drive?.facts.id ?? []));
  expect(keys).toEqual(before.keys.filter((key) => !drives.some((id) => key === `drive/${id}`)));
});

test('a OneDrive that is locked and a shared mailbox that the policy closes leave everybody else in the list', async () => {
  const { tenant, list } = await listing();
  const before = await list();
  const { users } = tenant.tenant.directory;
  const first = users.find(({ id }) => tenant.tenant.drives.ofUser(id) !== undefined);
  const shared = users.find(({ mailbox, skuIds }) => mailbox !== null && skuIds.length === 0);
  const personal = tenant.tenant.sites.all().find(({ facts }) => facts.ownerId === first?.id);
  tenant.tenant.behaviours.lockedSites = [personal?.id ?? ''];
  tenant.tenant.behaviours.closedMailboxes = [shared?.id ?? ''];
  const { keys, notes } = await list();
  const refused = new Set(notes.map(({ unlisted }) => unlisted?.subject));
  expect(refused).toEqual(new Set([`user/${first?.id}`, `user/${shared?.id}`]));
  const drive = personal?.defaultLibrary?.drive?.facts.id;
  const left = before.keys.filter((key) => key !== `drive/${drive}` && key !== `mailbox/${shared?.id}`);
  expect(keys).toEqual(left);
});

test('a member of a group who was deleted meanwhile, or is refused, is that member alone', async () => {
  const { tenant, list } = await listing();
  const group = tenant.tenant.directory.groups.find(({ memberIds }) => memberIds.length > 2);
  const [gone, refused] = group?.memberIds ?? [];
  const include = [{ type: 'group', id: group?.id ?? '' }] as const;
  const selection = { scope: 'selected', kinds: ['mailbox'], include } as const;
  const before = await list(selection);
  tenant.setFaults([
    { kind: 'vanished', path: `/users/${gone}` },
    { kind: 'server-error', path: `/users/${refused}`, parameters: { status: 403 } },
  ]);
  const { keys, notes } = await list(selection);
  expect(keys).toEqual(before.keys.filter((key) => ![`mailbox/${gone}`, `mailbox/${refused}`].includes(key)));
  expect(notes.map(({ unlisted }) => unlisted?.subject)).toEqual([`user/${refused}`]);
});

/** Lists of members have one member a page, and the second page is refused. */
function breakingMembers(): Send {
  const send = openTransport();
  return async (request) => {
    const { url } = request;
    if (!url.includes('/transitiveMembers')) return send(request);
    if (/skiptoken/i.test(url)) return jsonReply({ error: { code: 'accessDenied', message: 'No.' } }, { status: 403 });
    return send({ ...request, url: url.replace('$top=999', '$top=1') });
  };
}

test('a selected group whose list of members breaks off is a list that was not read to its end, and who was found is in it', async () => {
  const { tenant, list } = await listing(breakingMembers());
  const { directory } = tenant.tenant;
  const group = directory.groups.find(({ kind }) => kind === 'microsoft365');
  const memberIds = directory.users.filter(({ mailbox }) => mailbox !== null).map(({ id }) => id);
  if (group === undefined) throw new Error('The tenant has no group.');
  directory.putGroup({ ...group, memberIds });
  const include = [{ type: 'group', id: group.id }] as const;
  const { keys, notes } = await list({ scope: 'selected', kinds: ['mailbox'], include });
  expect(keys).toEqual([`mailbox/${group.id}`, `mailbox/${memberIds[0]}`]);
  expect(notes).toMatchObject([
    { code: 'list-refused', unlisted: { subject: null, name: expect.stringContaining('members') } },
  ]);
});

test('the files of one private channel that is refused are named, and those of the others are listed', async () => {
  const { tenant, list } = await listing();
  const isPrivate = ({ membershipType }: { membershipType: string }) => membershipType !== 'standard';
  const team = allTeams(tenant.tenant).find(({ channels }) => [...channels.values()].filter(isPrivate).length > 1);
  const [refused, ...others] = [...(team?.channels.values() ?? [])].filter(isPrivate);
  const selection = { scope: 'selected', kinds: ['drive'], include: [{ type: 'team', id: team?.id ?? '' }] } as const;
  const before = await list(selection);
  tenant.setFaults([
    {
      kind: 'server-error',
      path: `/teams/*/channels/${encodeURIComponent(refused?.id ?? '')}/*`,
      parameters: { status: 403 },
    },
  ]);
  const { keys, notes } = await list(selection);
  expect(others.length).toBeGreaterThan(0);
  expect(keys).toEqual(before.keys.filter((key) => key !== `drive/${refused?.drive().facts.id}`));
  expect(notes.map(({ message }) => message)).toEqual([
    expect.stringContaining(`the files of the channel ${refused?.displayName}`),
  ]);
});

test.each([
  ['mailbox', 'groups-not-readable', undefined],
  ['planner', 'list-refused', 'the groups'],
] as const)('who asked for kind %s and may not find the groups gets %s', async (kind, code, name) => {
  const { tenant, list } = await listing();
  tenant.setFaults([{ kind: 'server-error', path: '/groups', parameters: { status: 403 } }]);
  const all = await list({ kinds: [kind] });
  expect(all.notes.map((note) => [note.code, note.unlisted?.name])).toEqual([[code, name]]);
  const selected = await list({ scope: 'selected', kinds: [kind], include: [{ type: 'all', id: 'groups' }] });
  expect(selected.notes.map((note) => [note.code, note.unlisted?.name])).toEqual([['list-refused', 'the groups']]);
});

test('a list that is refused is named, and the other lists go on', async () => {
  const { tenant, list } = await listing();
  const before = await list();
  tenant.setFaults([{ kind: 'server-error', path: '/users', parameters: { status: 403 } }]);
  const { keys, notes } = await list();
  expect(notes).toMatchObject([{ unlisted: { subject: null, name: 'the persons' } }]);
  expect(keys.filter((key) => /^(?:team|site)/.test(key))).toEqual(
    before.keys.filter((key) => /^(?:team|site)/.test(key)),
  );
});

test('a person whose archive cannot be looked up is reported as refused, a person without an archive is not', async () => {
  const { tenant, list } = await listing();
  const archives = { kinds: ['archive'] } as const;
  const { keys, notes } = await list(archives);
  const owners = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox?.hasArchive === true);
  expect(keys).toEqual(owners.map(({ id }) => `archive/${id}`));
  expect([owners.length > 0, notes]).toEqual([true, []]);
  tenant.setFaults([{ kind: 'server-error', path: '*/settings/exchange', parameters: { status: 403 } }]);
  const refused = await list(archives);
  expect(refused.keys).toEqual([]);
  expect(refusedOf(refused.notes)).toEqual(expect.arrayContaining(owners.map(({ displayName }) => displayName)));
});

/** Answers what is asked of archives. */
function archiveAnswer(answer: (url: string) => HttpReply): Send {
  const send = openTransport();
  return async (request) => (request.url.includes('/settings/exchange') ? answer(request.url) : send(request));
}

const refusal = (status: number, code: string) => jsonReply({ error: { code, message: 'No.' } }, { status });

test.each([
  ['are not offered', () => refusal(400, 'BadRequest'), /does not give out in-place archives/],
  ['are not spoken of in beta either', () => jsonReply({ primaryMailboxId: 'MBX:1' }), /does not say of every person/],
] as const)('archives that %s are an alert, once', async (_what, answer, message) => {
  const { list } = await listing(archiveAnswer(answer));
  const { keys, notes } = await list({ kinds: ['archive'] });
  const alerts = notes.filter(({ unknown }) => unknown === undefined);
  expect([keys, alerts]).toMatchObject([[], [{ code: 'part-not-offered', message }]]);
});

test('archives that nothing is said of are named for each person with a mailbox', async () => {
  const { tenant, list } = await listing(archiveAnswer(() => jsonReply({ primaryMailboxId: 'MBX:1' })));
  const { notes } = await list({ kinds: ['archive'] });
  const owners = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  const unknown = notes.flatMap((note) => note.unknown ?? []);
  expect(unknown.map(({ kind, id }) => `${kind}/${id}`)).toEqual(owners.map(({ id }) => `archive/${id}`));
});

test('settings that are not found of persons who have a mailbox are named for each, and no archive', async () => {
  const { tenant, list } = await listing(archiveAnswer(() => refusal(404, 'ResourceNotFound')));
  const { keys, notes } = await list({ kinds: ['archive'] });
  const owners = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  expect([keys, refusedOf(notes)]).toEqual([[], owners.map(({ displayName }) => displayName)]);
});
