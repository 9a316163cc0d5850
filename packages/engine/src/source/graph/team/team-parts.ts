import { EngineError } from '../../../model/engine-error.ts';
import type { Item, ItemDetails, ItemKind } from '../../../model/items.ts';
import { instantOf, type JsonObject, objectOf, textOf, textsOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { withoutUndefined } from '../mailbox/people.ts';
import type { Reading } from '../reader.ts';
import { type Container, repliesTo } from '../reading-failures.ts';
import { type ScannedEntity, without } from '../scan-if-changed.ts';
import { bodyOfReply, wholeList } from '../whole-list.ts';

export const teamPath = (teamId: string): string => path`/teams/${teamId}`;
export const channelPath = (teamId: string, channelId: string): string => path`/teams/${teamId}/channels/${channelId}`;

/** A channel as the container of its messages. */
export const channelContainer = (teamId: string, channelId: string): Container => {
  return { noun: 'channel', id: channelId, path: channelPath(teamId, channelId) };
};

/** The team with its settings, those who are in it, and its apps. */
export async function readTeamParts({
  connection,
  request,
}: Reading): Promise<{ parts: ScannedEntity[]; channels: JsonObject[] }> {
  const { object, signal } = request;
  const base = teamPath(object.id);
  const names = ['', '/members', '/installedApps?$expand=teamsApp,teamsAppDefinition', '/channels'];
  const replies = await connection.batch(
    names.map((name) => ({ path: base + name })),
    signal,
  );
  const team = without(bodyOfReply(replies[0]), 'summary');
  const members = await wholeList(connection, replies[1], signal);
  const apps = await wholeList(connection, replies[2], signal);
  const channels = await wholeList(connection, replies[3], signal);
  const parts = [
    { entity: team, item: teamItem(team) },
    ...members.map((entity) => ({ entity, item: memberItem(entity, null) })),
    ...apps.map((entity) => ({ entity, item: appItem(entity) })),
  ];
  return { parts, channels: channels.map((channel) => without(channel, 'summary')) };
}

/** Reads what belongs to each channel beside its posts: tabs, and members where they are not the team's; or the error that prevented it. */
export async function readChannelParts(
  { connection, request }: Reading,
  channels: readonly JsonObject[],
): Promise<(ScannedEntity[] | EngineError)[]> {
  const { object, signal } = request;
  const ids = channels.map(({ id }) => textOf(id) ?? '');
  const calls = ids.flatMap((id) => [
    { path: `${channelPath(object.id, id)}/tabs?$expand=teamsApp` },
    { path: `${channelPath(object.id, id)}/members` },
  ]);
  // Those of a standard channel are those of the team.
  const isAsked = (index: number) => index % 2 === 0 || channels[(index - 1) / 2]?.['membershipType'] !== 'standard';
  const replies = await repliesTo(
    connection,
    calls.filter((_, index) => isAsked(index)),
    signal,
  );
  let next = 0;
  const lists = calls.map((_, index) => (isAsked(index) ? replies[next++] : null));
  return Promise.all(
    ids.map(async (id, index) => {
      const [tabs, members] = [lists[2 * index], lists[2 * index + 1]];
      try {
        const tabEntities = await wholeList(connection, tabs ?? undefined, signal);
        const people = members === null ? [] : await wholeList(connection, members, signal);
        return [
          ...tabEntities.map((entity) => ({ entity, item: tabItem(entity, id) })),
          ...people.map((entity) => ({ entity, item: memberItem(entity, id) })),
        ];
      } catch (error) {
        if (error instanceof EngineError) return error;
        throw error;
      }
    }),
  );
}

function item(id: string, kind: ItemKind, parentId: string | null, name: string, details: ItemDetails): Item {
  return { id, kind, parentId, name, sizeBytes: 0, modifiedAt: null, details };
}

function teamItem(team: JsonObject): Item {
  const id = textOf(team['id']) ?? '';
  const details = { role: textOf(team['visibility']), webUrl: textOf(team['webUrl']), ...createdAt(team) };
  return item(`teams/${id}`, 'team', null, textOf(team['displayName']) ?? id, withoutUndefined(details));
}

export function channelItem(channel: JsonObject): Item {
  const id = textOf(channel['id']) ?? '';
  const details = { role: textOf(channel['membershipType']), webUrl: textOf(channel['webUrl']), ...createdAt(channel) };
  return item(id, 'channel', null, textOf(channel['displayName']) ?? id, withoutUndefined(details));
}

/** @param channelId `null` for a member of the team */
function memberItem(member: JsonObject, channelId: string | null): Item {
  const id = textOf(member['id']) ?? '';
  const name = textOf(member['displayName']) ?? textOf(member['email']) ?? textOf(member['userId']) ?? id;
  const email = textOf(member['email']);
  const details = { from: email === undefined ? name : `${name} <${email}>`, role: textsOf(member['roles'])[0] };
  return item(`${channelId ?? 'team'}/members/${id}`, 'member', channelId, name, withoutUndefined(details));
}

function appItem(app: JsonObject): Item {
  const id = textOf(app['id']) ?? '';
  const name =
    textOf(objectOf(app['teamsAppDefinition'])['displayName']) ?? textOf(objectOf(app['teamsApp'])['displayName']);
  return item(`apps/${id}`, 'app', null, name ?? id, {});
}

function tabItem(tab: JsonObject, channelId: string): Item {
  const id = textOf(tab['id']) ?? '';
  const details = { role: textOf(objectOf(tab['teamsApp'])['displayName']), webUrl: textOf(tab['webUrl']) };
  return item(`${channelId}/tabs/${id}`, 'tab', channelId, textOf(tab['displayName']) ?? '', withoutUndefined(details));
}

const createdAt = (entity: JsonObject) => ({ createdAt: instantOf(entity['createdDateTime']) });
