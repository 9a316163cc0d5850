import { afterEach, expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import type { ListingNote, Selection } from '../source/source.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { restoredState } from '../testing/restored-state.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { type BackupResult, backUp } from './backup.ts';

const database = useDatabase();
let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

const SELECTION: Selection = {
  scope: 'everything',
  kinds: ['mailbox', 'archive', 'drive', 'site', 'team', 'chats', 'planner'],
  include: [],
  exclude: [],
  personalSites: false,
};

/** Where an object is read from. */
function pathsOf(object: ProtectedObject): string[] {
  const id = object.id.replace(/[^\w.-]/g, '*');
  if (object.kind === 'mailbox' && isOfGroup(object)) return [`/groups/${id}/threads*`];
  const parts = ['mailFolders', 'messages', 'calendar', 'events', 'contact', 'todo', 'outlook', 'mailboxSettings'];
  const paths: Record<ProtectedObject['kind'], string[]> = {
    mailbox: parts.map((part) => `/users/${id}/${part}*`),
    archive: [`/users/${id}/settings/*`],
    drive: [`/drives/${id}/*`],
    site: ['lists', 'columns', 'contentTypes', 'pages', 'permissions'].map((part) => `/sites/${id}/${part}*`),
    team: [`/teams/${id}*`],
    chats: [`/users/${id}/chats*`],
    planner: [`/groups/${id}/planner*`],
  };
  return paths[object.kind];
}

test.each([6, 0].slice(0, tries(1, 2)))(
  'a tenant in which every tenth object is refused, from number %i: each is named, and nothing else is lost',
  async (from) => {
    const { tenant: started, connection } = await startConnected({ budgets: false });
    tenant = started;
    const parts = await database.parts();
    const source = openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 0 });
    const { signal } = new AbortController();
    const run = () => backUp({ ...parts, source, signal }, { id: 'job', name: 'Job', selection: SELECTION });
    const objects: ProtectedObject[] = [];
    for await (const one of source.listObjects(SELECTION, signal) as AsyncIterable<ProtectedObject | ListingNote>)
      if ('kind' in one) objects.push(one);
    const refused = objects.filter((_, index) => index % 10 === from);
    started.setFaults(
      refused.flatMap((object) =>
        pathsOf(object).map((path) => ({ path, kind: 'server-error', parameters: { status: 403 } }) as const),
      ),
    );
    const first = await run();
    const isRefused = new Set(refused.map((object) => parts.repository.objectKey(object)));
    expect(first.outcome).toBe('Warning');
    const named = first.findings.failures.map(({ objectName, message }) => `${objectName} ${message}`);
    for (const { name } of refused)
      expect(
        named.filter((one) => one.includes(name)),
        name,
      ).not.toEqual([]);
    const strangers = named.filter((one) => !refused.some(({ name }) => one.includes(name)));
    expect(strangers).toEqual([]);

    started.setFaults([]);
    const second = await run();
    expect([second.outcome, second.findings.failures]).toEqual(['Success', []]);
    const revisionsOf = ({ objects: read }: BackupResult) => new Map(read);
    const [then, now] = [revisionsOf(first), revisionsOf(second)];
    for (const object of objects) {
      const key = parts.repository.objectKey(object);
      const state = (revision: number) => restoredState(parts.repository, parts.catalog, key, revision);
      const [before, after] = [then.get(key), now.get(key)];
      expect(after, object.name).toBeDefined();
      // Of one revision there is one state: the second run found nothing that the first had left out.
      if (isRefused.has(key) || before === undefined || after === undefined || before === after) continue;
      expect(await state(before), object.name).toEqual(await state(after));
    }
    const unread = objects.filter((object) => !then.has(parts.repository.objectKey(object)));
    expect(unread.every((object) => isRefused.has(parts.repository.objectKey(object)))).toBe(true);
    console.log(
      `${objects.length} objects, ${refused.length} (${refused.map(({ kind }) => kind).join(', ')}) refused and named, all others whole in the same run.`,
    );
  },
  600_000,
);
