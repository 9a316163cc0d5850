import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import type { ListingNote, SelectedItem, Selection } from '../source/source.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { type BackupParts, type BackupResult, backUp } from './backup.ts';

const database = useDatabase();
let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

/** A source whose list a test writes: what comes, and how it ends. */
class ListedSource extends WrittenSource {
  list: (ProtectedObject | ListingNote)[] = [];
  breaksOff = false;

  override async *listObjects(): AsyncGenerator<ProtectedObject | ListingNote> {
    yield* this.list;
    if (this.breaksOff) throw new EngineError('source-unreachable', 'The list of users broke off.');
  }
}

function mailbox(id: string): WrittenObject {
  const written = new WrittenObject(id);
  written.put(`${id}-1`, {
    kind: 'message',
    name: `Of ${id}`,
    parentId: null,
    contents: { properties: Buffer.from(id) },
  });
  return written;
}

async function world() {
  const parts = await database.parts();
  const [ada, bob, cleo] = ['ada', 'bob', 'cleo'].map(mailbox) as [WrittenObject, WrittenObject, WrittenObject];
  const source = new ListedSource(ada, bob, cleo);
  source.list = source.objects.map(({ object }) => object);
  const run = (selection: Partial<Selection> = {}, more: Partial<BackupParts> = {}) =>
    backUp(
      { ...parts, source, signal: new AbortController().signal, ...more },
      { id: 'job', name: 'Job', selection: { ...EVERYTHING, ...selection } },
    );
  return { parts, source, ada, bob, cleo, run };
}

const keyOf = ({ repository }: TestParts, { object }: WrittenObject) => repository.objectKey(object);

async function shows(parts: TestParts, { objects }: BackupResult, written: WrittenObject): Promise<boolean> {
  const [, revision] = objects.find(([key]) => key === keyOf(parts, written)) ?? [];
  if (revision === undefined) return false;
  const state = await restoredState(parts.repository, parts.catalog, keyOf(parts, written), revision);
  return JSON.stringify(state) === JSON.stringify(writtenState(written));
}

test('what is not listed any more is named once, lowers the outcome once, and stays in every later restore point', async () => {
  const { parts, source, bob, run } = await world();
  expect((await run()).outcome).toBe('Success');
  source.list = source.list.filter((one) => one !== bob.object);
  const second = await run();
  expect([second.outcome, second.findings.failures]).toMatchObject(['Warning', [{ objectName: bob.object.name }]]);
  expect(second.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unlisted' });
  const third = await run();
  expect([third.outcome, third.findings.failures]).toEqual(['Success', []]);
  expect(third.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unlisted' });
  for (const point of [second, third]) expect(await shows(parts, point, bob)).toBe(true);
  source.list.push(bob.object);
  expect(await run()).toMatchObject({ outcome: 'Success', findings: { objects: {} } });
});

const BROKEN: ListingNote = {
  code: 'list-refused',
  message: 'The list of the persons could not be read to its end.',
  unlisted: { subject: null, name: 'the persons' },
};

test.each([
  ['with an error', [], true],
  ['with a note of that list, after which others go on', [BROKEN], false],
] as const)(
  'a listing that breaks off %s fails the run, and says how many of the last backup were not reached',
  async (_, notes, breaksOff) => {
    const { parts, source, ada, bob, cleo, run } = await world();
    await run();
    source.list = [ada.object, ...notes];
    source.breaksOff = breaksOff;
    ada.put('new', { kind: 'message', name: 'New', parentId: null, contents: { properties: Buffer.from('new') } });
    const broken = await run();
    expect(broken.outcome).toBe('Failed');
    expect(broken.findings.failures.map(({ message }) => message).join(' ')).toMatch(/broke off.*2 were not reached/s);
    for (const { message } of notes)
      expect(broken.findings.failures).toContainEqual({ objectName: 'the persons', message });
    expect(broken.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unread', [keyOf(parts, cleo)]: 'unread' });
    for (const written of [ada, bob, cleo]) expect(await shows(parts, broken, written)).toBe(true);
    source.breaksOff = false;
    source.list = [ada.object, bob.object, cleo.object];
    expect((await run()).outcome).toBe('Success');
  },
);

test('a subject that is refused is a failure that names it in every run, and its objects stay as they were', async () => {
  const { parts, source, ada, bob, cleo, run } = await world();
  await run();
  const unlisted = { subject: `user/${bob.object.id}`, name: 'Bob' };
  source.list = [ada.object, { code: 'subject-refused', message: 'Bob is refused.', unlisted }, cleo.object];
  for (let times = 0; times < 2; times += 1) {
    const result = await run();
    expect(result.outcome).toBe('Warning');
    expect(result.findings.failures).toEqual([{ objectName: 'Bob', message: 'Bob is refused.' }]);
    expect(result.findings.objects).toEqual({ [keyOf(parts, bob)]: 'unread' });
    expect(await shows(parts, result, bob)).toBe(true);
  }
});

test('an object that was removed from the job is not missed', async () => {
  const { source, ada, bob, run } = await world();
  await run();
  source.list = [ada.object];
  const exclude = ['bob', 'cleo'].map((id) => ({ type: 'user', id }) as const);
  const result = await run({ exclude });
  expect([result.outcome, result.objects.length]).toEqual(['Success', 1]);
  source.list = [bob.object];
  const include = [{ type: 'user', id: 'bob' }] as const;
  expect(await run({ scope: 'selected', include })).toMatchObject({ outcome: 'Success', findings: { objects: {} } });
});

test('a run that was stopped shows what it did not reach as it was before', async () => {
  const { parts, ada, bob, run } = await world();
  await run();
  const stopped = new AbortController();
  ada.put('new', { kind: 'message', name: 'New', parentId: null, contents: { properties: Buffer.from('new') } });
  bob.script = [() => stopped.abort()];
  const result = await run({}, { signal: stopped.signal, objectsAtOnce: 1 });
  expect([result.outcome, result.objects.length]).toEqual(['Stopped', 3]);
  expect(await shows(parts, result, bob)).toBe(true);
});

test('every object that is not whole carries a flag, also those that the list of failures has no room for', async () => {
  const { parts, source, ada, run } = await world();
  const message = 'A folder failed.';
  ada.script = Array.from({ length: 1_001 }, () => ({ type: 'failure', message }) as const);
  const last = mailbox('zoe');
  last.put('bad', { kind: 'message', name: 'Bad', parentId: null, contents: {}, fault: 'unreadable' });
  source.objects.push(last);
  source.list.push(last.object);
  const { run: id, findings } = await run({}, { objectsAtOnce: 1 });
  expect(findings.failures.length).toBe(1_000);
  expect(findings.objects).toEqual({ [keyOf(parts, ada)]: 'incomplete', [keyOf(parts, last)]: 'incomplete' });
  expect((await parts.catalog.restorePoint(id))?.findings.objects).toEqual(findings.objects);
});

/** A note that the source does not say whether a person has an archive. */
function unknownArchive(id: string): ListingNote {
  const unknown = { ...new WrittenObject(id, 'archive').object, name: `Archive of ${id}` };
  return { code: 'part-not-offered', message: `It is not known whether ${id} has an archive.`, unknown };
}

test('what may be there is named once, by the first run that cannot know, and lowers its outcome; later runs do not', async () => {
  const { parts, source, ada, bob, run } = await world();
  const listed = [...source.list];
  const alert = { code: 'part-not-offered', message: 'Archives are not reported.' };
  source.list = [...listed, alert, unknownArchive('ada')];
  const named = async () => {
    const { outcome, findings } = await run();
    return [outcome, findings.failures.map(({ objectName }) => objectName), findings.alerts.length];
  };
  expect(await named()).toEqual(['Warning', ['Archive of ada'], 1]);
  expect(await named()).toEqual(['Success', [], 1]);
  source.list.push(unknownArchive('bob'));
  expect(await named()).toEqual(['Warning', ['Archive of bob'], 1]);
  expect(await named()).toEqual(['Success', [], 1]);
  // A run that does not come to them forgets nothing, nor does one in which a person is refused.
  source.list = [ada.object];
  source.breaksOff = true;
  await run();
  source.breaksOff = false;
  const unlisted = { subject: `user/${bob.object.id}`, name: 'Bob' };
  source.list = [...listed, unknownArchive('ada'), { code: 'subject-refused', message: 'Bob is refused.', unlisted }];
  await run();
  source.list = [...listed, alert, unknownArchive('ada'), unknownArchive('bob')];
  expect(await named()).toEqual(['Success', [], 1]);
  // What a rebuilt catalog reads from journals is the same.
  await parts.catalog.clear();
  await rebuild(parts.repository, parts.catalog);
  expect(await named()).toEqual(['Success', [], 1]);
});

test('an archive that was in the last backup and may be there still is named once, as not listed', async () => {
  const { parts, source, run } = await world();
  const archive = new WrittenObject('ada', 'archive');
  archive.put('old', { kind: 'message', name: 'Old', parentId: null, contents: { properties: Buffer.from('old') } });
  source.objects.push(archive);
  source.list.push(archive.object);
  const kinds = ['mailbox', 'archive'] as const;
  await run({ kinds });
  source.list = source.list.map((one) => (one === archive.object ? unknownArchive('ada') : one));
  const result = await run({ kinds });
  expect([result.outcome, result.findings.failures.length]).toEqual(['Warning', 1]);
  expect(await shows(parts, result, archive)).toBe(true);
  expect(await run({ kinds })).toMatchObject({ outcome: 'Success', findings: { failures: [] } });
});

/** A tenant, and runs of a job that selects some of it. */
async function selecting(kinds: Selection['kinds']) {
  const { tenant: started, connection } = await startConnected({ budgets: false });
  tenant = started;
  const parts = await database.parts();
  const source = openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 0 });
  const run = (...include: SelectedItem[]) =>
    backUp(
      { ...parts, source, signal: new AbortController().signal },
      { id: 'job', name: 'Job', selection: { ...EVERYTHING, scope: 'selected', kinds, include } },
    );
  const keysOf = ({ objects }: BackupResult) => objects.map(([key]) => key).sort();
  const flags = ({ findings }: BackupResult) => [...new Set(Object.values(findings.objects ?? {}))];
  return { ...started.tenant, run, keysOf, flags };
}

test('the objects of a site that is selected by its URL stay when it is locked, and when it is gone', async () => {
  const { sites, behaviours, run, keysOf, flags } = await selecting(['site', 'drive']);
  const [site, other] = sites.all().filter(({ facts }) => facts.path !== '' && !facts.ownerId && !facts.groupId);
  if (site === undefined || other === undefined) throw new Error('The tenant has no sites.');
  const include = { type: 'site', id: `${site.webUrl}/` } as const;
  const both = [include, { type: 'site', id: other.id }] as const;
  const first = await run(...both);
  behaviours.lockedSites = [site.id];
  const locked = await run(...both);
  expect(keysOf(locked)).toEqual(keysOf(first));
  expect([locked.outcome, flags(locked)]).toEqual(['Warning', ['unread']]);
  expect(locked.findings.failures).toMatchObject([{ objectName: include.id }]);
  behaviours.lockedSites = false;
  sites.remove(site);
  const gone = await run(...both);
  expect(keysOf(gone)).toEqual(keysOf(first));
  expect([gone.outcome, flags(gone)]).toEqual(['Warning', ['unlisted']]);
  expect(gone.findings.failures.map(({ objectName }) => objectName)).toContain(site.facts.displayName);
  const alone = await run({ type: 'site', id: other.id });
  expect([alone.outcome, flags(alone)]).toEqual(['Success', []]);
});

test('the sites below a selected site, and their libraries, stay when they are locked, not listed, or gone', async () => {
  const { sites, behaviours, run, keysOf, flags } = await selecting(['site', 'drive']);
  const below = sites.all().find(({ parent }) => parent !== undefined);
  const parent = below?.parent;
  if (below === undefined || parent === undefined) throw new Error('No site of the tenant has one below it.');
  const include = { type: 'site', id: parent.id } as const;
  const first = await run(include);
  behaviours.lockedSites = [parent.id];
  const locked = await run(include);
  expect([locked.outcome, keysOf(locked), flags(locked)]).toEqual(['Failed', [], []]);
  behaviours.lockedSites = [below.id];
  expect(keysOf(await run(include))).toEqual(keysOf(first));
  behaviours.lockedSites = false;
  tenant?.setFaults([{ kind: 'server-error', path: '/sites/*/sites', parameters: { status: 403 } }]);
  const unlisted = await run(include);
  expect([keysOf(unlisted), flags(unlisted).sort()]).toEqual([keysOf(first), ['incomplete', 'unread']]);
  tenant?.setFaults([]);
  sites.remove(below);
  const gone = await run(include);
  expect([keysOf(gone), flags(gone)]).toEqual([keysOf(first), ['unlisted']]);
});

test.each([
  ['by its id', (site: { id: string; webUrl: string }) => site.id],
  ['by its URL', (site: { id: string; webUrl: string }) => site.webUrl],
])('the sites below a site that is selected %s and was renamed stay when they are refused or gone', async (_, idOf) => {
  const { sites, behaviours, run, keysOf, flags } = await selecting(['site', 'drive']);
  const below = sites.all().find(({ parent }) => parent !== undefined);
  const parent = below?.parent;
  if (below === undefined || parent === undefined) throw new Error('No site of the tenant has one below it.');
  const first = await run({ type: 'site', id: idOf(parent) });
  const oldPath = parent.facts.path;
  for (const site of [parent, below])
    site.facts = { ...site.facts, path: site.facts.path.replace(oldPath, `${oldPath}-renamed`) };
  const include = { type: 'site', id: idOf(parent) } as const;
  tenant?.setFaults([{ kind: 'server-error', path: '/sites/*/sites', parameters: { status: 403 } }]);
  for (let times = 0; times < 2; times += 1) expect(keysOf(await run(include))).toEqual(keysOf(first));
  tenant?.setFaults([]);
  behaviours.lockedSites = [below.id];
  expect(keysOf(await run(include))).toEqual(keysOf(first));
  behaviours.lockedSites = false;
  sites.remove(below);
  for (let times = 0; times < 2; times += 1) {
    const gone = await run(include);
    expect([keysOf(gone), flags(gone), gone.outcome]).toEqual([
      keysOf(first),
      ['unlisted'],
      times === 0 ? 'Warning' : 'Success',
    ]);
  }
});

test('the mailbox of a person who is selected by a sign-in name that is not the address stays when it ends, and without the person', async () => {
  const { directory, run, keysOf, flags } = await selecting(['mailbox']);
  const [ada, bob, cleo] = directory.users.filter(({ mail, mailbox }) => mail !== null && mailbox !== null);
  if (ada === undefined || bob === undefined || cleo === undefined) throw new Error('The tenant has too few people.');
  const named = { ...ada, userPrincipalName: 'sign-in@contoso.onmicrosoft.com' };
  directory.putUser(named);
  const include = { type: 'user', id: named.userPrincipalName } as const;
  const [second, third] = [{ type: 'user', id: bob.id } as const, { type: 'user', id: cleo.id } as const];
  const first = await run(include, second, third);
  tenant?.setFaults([{ kind: 'server-error', path: '/users/sign-in*', parameters: { status: 403 } }]);
  const refused = await run(include, second, third);
  expect([keysOf(refused), flags(refused)]).toEqual([keysOf(first), ['unread']]);
  tenant?.setFaults([]);
  directory.putUser({ ...named, mailbox: null, skuIds: [] });
  const ended = await run(include, second);
  expect([ended.outcome, ended.objects.length, flags(ended)]).toEqual(['Warning', 2, ['unlisted']]);
  directory.putUser({ ...named, deletedMs: 1 });
  expect(keysOf(await run(include, second))).toEqual(keysOf(ended));
  const alone = await run(second);
  expect([alone.outcome, alone.objects.length]).toEqual(['Success', 1]);
});
