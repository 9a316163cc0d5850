import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { Channel } from '../../../sandbox/src/microsoft365/teams/channel.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { GraphTeam } from '../source/graph/write-teams/graph-team.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { journalFile } from './journal-files.ts';
import { TeamPlace } from './places/team-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { dyingTarget } from './testing/dying-target.ts';
import { KILLED } from './testing/memory-mailbox.ts';

let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
let team: ProtectedObject;

beforeEach(async () => {
  stored = await StoredBackup.create();
  ({ tenant, connection } = await startConnected());
  const source = openGraphSource(connection);
  const [first] = await objectsIn(source, 'team');
  if (first === undefined) throw new Error('The tenant has no team.');
  team = first;
  await stored.backUpFrom(source, 'team');
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

type Dying = (team: GraphTeam) => GraphTeam;

interface Attempt {
  dying?: Dying;
  journalPath?: string;
  signal?: AbortSignal;
}

async function restoreTeam(
  options: Partial<RestoreOptions> = {},
  { dying = (team) => team, journalPath, signal = new AbortController().signal }: Attempt = {},
) {
  const parts = { repository: stored.repository, catalog: stored.catalog, signal };
  const object = await stored.catalog.object(stored.repository.objectKey(team));
  if (object === null) throw new Error('The team was not stored.');
  const { revision, key } = object;
  const failed: string[] = [];
  let place: TeamPlace | undefined;
  const result = await restore(
    {
      ...parts,
      ...(journalPath && { journals: journalFile(journalPath) }),
      onItem: (item) => void (item.outcome === 'failed' && failed.push(`${item.name}: ${item.reason}`)),
    },
    {
      scope: { object, revision, items: null },
      options: { ...RESTORE_OPTIONS, ...options },
      to: team.id,
      place: (paths, signal) => {
        place = new TeamPlace(
          dying(new GraphTeam(connection, team.id)),
          paths,
          { parts, object: key, revision },
          { into: null, withPosts: true },
          signal,
        );
        return place;
      },
    },
  );
  return { result, failed };
}

const channels = () => [...(tenant.tenant.teams.find(team.id)?.channels.values() ?? [])];

const tabsOf = ({ tabs }: Channel) =>
  tabs.map(({ displayName, configuration }) => ({ displayName, configuration })).sort(byName);
const byName = (one: { displayName: string }, other: { displayName: string }) =>
  one.displayName < other.displayName ? -1 : 1;

/** What people said in a channel, by whom and when, with pictures as their bytes. */
const saidIn = ({ conversation }: Channel) =>
  conversation.all
    // A post that was deleted is there again, without a word, where a reply to it exists.
    .filter(
      ({ messageType, deletedMs, body }) => messageType === 'message' && !deletedMs && body.content !== '(deleted)',
    )
    .map((message) => ({
      id: message.id,
      replyToId: message.replyToId,
      by: message.from.user?.id,
      subject: message.subject,
      text: message.body.content.replace(/[^"]*\/hostedContents\/[^"]*/g, 'picture'),
      pictures: message.hostedContents.map(({ bytes }) => bytes.toString('hex')),
    }));

test('posts and replies come back in new channels by their authors, at their instants, with their pictures', async () => {
  const before = channels();
  const { failed } = await restoreTeam();
  expect(failed).toEqual([]);
  for (const channel of before) {
    const made = channels().find(({ displayName }) => displayName === `${channel.displayName} (restored)`);
    if (made === undefined) throw new Error(`${channel.displayName} was not made again.`);
    expect(made.membershipType).toBe(channel.membershipType);
    expect(made.migration?.mode).toBe('completed');
    expect(saidIn(made)).toEqual(saidIn(channel));
    expect(tabsOf(made)).toEqual(tabsOf(channel));
  }
});

test('a channel that was deleted comes back under its own name', async () => {
  const [, channel] = channels();
  if (channel === undefined) throw new Error('The team has one channel alone.');
  await connection.ask({ method: 'DELETE', path: `/teams/${team.id}/channels/${encodeURIComponent(channel.id)}` });
  await restoreTeam();
  const made = channels().find(({ displayName }) => displayName === channel.displayName);
  expect(made && saidIn(made)).toEqual(saidIn(channel));
});

test('a second restore says nothing twice', async () => {
  await restoreTeam();
  const count = channels().flatMap(saidIn).length;
  const { result, failed } = await restoreTeam();
  expect(failed).toEqual([]);
  expect(result.restored).toBe(0);
  expect(channels().flatMap(saidIn)).toHaveLength(count);
});

test('settings, apps and members that were removed come back', async () => {
  const inside = tenant.tenant.teams.find(team.id);
  const [app] = inside?.installedApps ?? [];
  const apps = inside?.installedApps.length;
  await connection.ask({ method: 'DELETE', path: `/teams/${team.id}/installedApps/${app?.id}` });
  await connection.ask({ method: 'PATCH', path: `/teams/${team.id}`, body: { funSettings: { allowGiphy: false } } });
  await restoreTeam({ conflict: 'replace' });
  expect(inside?.installedApps).toHaveLength(apps ?? -1);
  expect(inside?.settings.funSettings['allowGiphy']).not.toBe(false);
});

test('killed again and again, a restore says nothing twice and leaves nothing out', { timeout: 300_000 }, async () => {
  const before = channels();
  const said = new Map(before.map((channel) => [channel.displayName, saidIn(channel)]));
  const journalPath = stored.file('restore.jsonl');
  let kills = 0;
  for (let isOver = false; !isOver; ) {
    const dying: Dying = kills < 14 ? (one) => dyingTarget(one, 4 + 5 * kills, kills % 2 === 1) : (one) => one;
    isOver = await restoreTeam({}, { dying, journalPath }).then(
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
  const made = channels().filter((channel) => !before.includes(channel));
  expect(made.map(({ displayName }) => displayName).sort()).toEqual(
    [...said.keys()].map((name) => `${name} (restored)`).sort(),
  );
  for (const [name, messages] of said)
    expect(saidIn(made.find(({ displayName }) => displayName === `${name} (restored)`) ?? failWith(name))).toEqual(
      messages,
    );
});

test('a restore that is stopped says which channels stay closed, and opens them when it has gone on', async () => {
  const before = channels();
  const journalPath = stored.file('restore.jsonl');
  const stopping = new AbortController();
  const stopped: Dying = (one) =>
    new Proxy(one, {
      get(target, name) {
        if (name === 'post') stopping.abort(new EngineError('stopped', 'Stopped on request.'));
        const member = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  const { result } = await restoreTeam({}, { dying: stopped, journalPath, signal: stopping.signal });
  const made = () => channels().filter((channel) => !before.includes(channel));
  const closed = made().filter(({ migration }) => migration?.mode === 'inProgress');
  expect(closed.length).toBeGreaterThan(0);
  expect(result.outcome).toBe('Stopped');
  for (const { displayName } of closed) expect(result.stoppedBy).toContain(`‘${displayName}’`);

  const again = await restoreTeam({}, { journalPath });
  expect(again.result).toMatchObject({ failed: 0, stoppedBy: null });
  expect(made().map(({ migration }) => migration?.mode)).toEqual(made().map(() => 'completed'));
});

test('a restore that is stopped while a channel is made says that it stays closed, before it has the answer', async () => {
  const before = channels();
  const stopping = new AbortController();
  const stopped: Dying = (one) =>
    Object.assign(Object.create(one), {
      createChannel: async (...args: Parameters<GraphTeam['createChannel']>) => {
        await one.createChannel(...args);
        stopping.abort(new EngineError('stopped', 'Stopped on request.'));
        stopping.signal.throwIfAborted();
      },
    });
  const { result } = await restoreTeam({}, { dying: stopped, signal: stopping.signal });
  const made = channels().filter((channel) => !before.includes(channel));
  expect(made.length).toBeGreaterThan(0);
  for (const { displayName } of made) expect(result.stoppedBy).toContain(`‘${displayName}’`);
});

function failWith(name: string): never {
  throw new Error(`${name} was not made again.`);
}
