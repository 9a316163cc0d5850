import { ROOT } from '@keepwatch/contract/restore/explorer';
import type { ItemVersion } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type FoundObject, findObject, objectsOf } from '../sessions/session-objects.ts';
import { type ItemSort, rowsOf } from './browse-object.ts';
import { libraryOf } from './library-ids.ts';
import type { PageRange } from './page-links.ts';

/** The libraries of a team: those of its site, and those that its private and shared channels have for themselves. */
export async function librariesOfTeam(opened: OpenedSession, teamId: string): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  const owners = [`team/${teamId}`, `group/${teamId}`];
  for await (const { id } of objectsOf(opened, { kinds: ['drive'], owners })) {
    const library = await findObject(opened, 'drive', id);
    if (library !== null) found.push(library);
  }
  return found;
}

/** A file or folder of a team, with the library that it is in. */
export interface TeamEntry {
  library: FoundObject;
  item: ItemVersion;
}

export interface FilesOrder extends PageRange {
  parentId: string | undefined;
  sort: ItemSort;
}

const FILE_KINDS = ['folder', 'file'] as const;

/** Files and folders: in a folder, in the folder of a channel, or at the top of all libraries. */
export async function* teamEntries(
  opened: OpenedSession,
  team: FoundObject,
  { parentId, channelId, sort }: { parentId: string | undefined; channelId: string | undefined; sort: ItemSort },
): AsyncGenerator<TeamEntry> {
  if (parentId !== undefined && parentId !== ROOT) {
    const { libraryId, itemId } = libraryOf(parentId);
    const library = (await librariesOfTeam(opened, team.object.id)).find(({ object }) => object.id === libraryId);
    if (library === undefined) throw notFound('folder');
    yield* entriesIn(opened, library, itemId ?? undefined, sort);
    return;
  }
  const channel = channelId === undefined ? null : await requireChannel(team, channelId);
  for (const library of await librariesOfTeam(opened, team.object.id)) {
    if (channel === null) yield* entriesIn(opened, library, undefined, sort);
    else yield* entriesOfChannel(opened, library, channel, sort);
  }
}

async function requireChannel({ stored, object, revision }: FoundObject, channelId: string): Promise<ItemVersion> {
  const [channel] = [
    (await stored.catalog.item(object.key, revision, channelId)) ??
      (await stored.catalog.versionsOf(object.key, channelId))[0],
  ];
  if (channel === undefined) throw notFound('channel');
  return channel;
}

/** A channel has the folder of its name in the library of the team, or a library of its own. */
async function* entriesOfChannel(
  opened: OpenedSession,
  library: FoundObject,
  { name }: ItemVersion,
  sort: ItemSort,
): AsyncGenerator<TeamEntry> {
  for await (const id of foldersNamed(opened, library, name)) yield* entriesIn(opened, library, id, sort);
}

async function* foldersNamed(opened: OpenedSession, library: FoundObject, name: string): AsyncGenerator<string> {
  for await (const { item } of entriesIn(opened, library, undefined, 'name'))
    if (item.kind === 'folder' && item.name === name) yield item.id;
}

/** The folder of a channel in a library of its team; `null` where it has none there, or was not there itself. */
export async function channelFolder(
  opened: OpenedSession,
  { stored, object, revision }: FoundObject,
  library: FoundObject,
  channelId: string,
): Promise<string | null> {
  const channel = await stored.catalog.item(object.key, revision, channelId);
  if (channel === null) return null;
  for await (const id of foldersNamed(opened, library, channel.name)) return id;
  return null;
}

async function* entriesIn(
  opened: OpenedSession,
  library: FoundObject,
  parentId: string | undefined,
  sort: ItemSort,
): AsyncGenerator<TeamEntry> {
  for await (const item of rowsOf(opened, library, { parentId, kinds: FILE_KINDS, sort })) yield { library, item };
}
