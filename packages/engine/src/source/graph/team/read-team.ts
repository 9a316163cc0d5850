import type { Scan, SourceEvent } from '../../source.ts';
import { emptied } from '../delta/delta.ts';
import { textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { nothingLeft, scanIfChanged, without } from '../scan-if-changed.ts';
import { historyScope, placeIn, readHistory } from './channel-history.ts';
import { postScope, readPosts } from './channel-posts.ts';
import { readLostMessages } from './lost-messages.ts';
import { channelContainer, channelItem, readChannelParts, readTeamParts } from './team-parts.ts';
import { unlistedChannels } from './unlisted-channels.ts';

const TEAM: Scan = { scope: 'team', kinds: ['team', 'member', 'app'], parentId: null };
const CHANNELS: Scan = { scope: 'channels', kinds: ['channel'] };

const channelScan = (channelId: string): Scan => ({
  scope: `channel/${channelId}`,
  kinds: ['tab', 'member'],
  parentId: channelId,
});

/** A team with its channels, posts and replies. Its files are drives. */
export async function* readTeam(reading: Reading): AsyncGenerator<SourceEvent> {
  const { request } = reading;
  const { parts, channels: listed } = await readTeamParts(reading);
  yield* scanIfChanged(request, TEAM, parts);
  const { there, gone, refused } = await unlistedChannels(reading, listed);
  const channels = [...listed, ...there.map((channel) => without(channel, 'summary'))];
  const ids = channels.map(({ id }) => textOf(id) ?? '');
  for (const id of gone) yield* withoutChannel(request.object.id, id);
  yield* scanIfChanged(
    request,
    { ...CHANNELS, except: refused.map(({ id }) => id) },
    channels.map((entity) => ({ entity, item: channelItem(entity) })),
  );
  for (const { event } of refused) yield event;
  const ofChannels = await readChannelParts(reading, channels);
  for (const [index, id] of ids.entries()) {
    const parts = ofChannels[index] ?? [];
    if (Array.isArray(parts)) yield* scanIfChanged(request, channelScan(id), parts);
    else yield await reading.failures.containerFailed(channelContainer(request.object.id, id), parts);
  }
  for (const id of ids) yield* readHistory(reading, id);
  yield* readPosts(reading, ids);
  yield* readLostMessages(reading, (channelId, postId) => placeIn(request.object.id, channelId, postId));
}

/** A channel that was deleted, with all that was in it. */
function* withoutChannel(teamId: string, id: string): Generator<SourceEvent> {
  yield* emptied(postScope(teamId, id));
  yield { type: 'cursor', scope: historyScope(id), value: null };
  yield* nothingLeft(channelScan(id));
  // While it was refused the others were listed without it, and that list is the same now.
  yield { type: 'removed', id };
}
