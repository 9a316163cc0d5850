import type { Scan, SourceEvent } from '../../source.ts';
import { emptied } from '../delta/delta.ts';
import { textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { nothingLeft, scanIfChanged } from '../scan-if-changed.ts';
import { historyScope, placeIn, readHistory } from './channel-history.ts';
import { postScope, readPosts } from './channel-posts.ts';
import { readLostMessages } from './lost-messages.ts';
import { channelContainer, channelItem, readChannelParts, readTeamParts } from './team-parts.ts';

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
  const { parts, channels } = await readTeamParts(reading);
  yield* scanIfChanged(request, TEAM, parts);
  const ids = channels.map(({ id }) => textOf(id) ?? '');
  yield* withoutGoneChannels(reading, new Set(ids));
  yield* scanIfChanged(
    request,
    CHANNELS,
    channels.map((entity) => ({ entity, item: channelItem(entity) })),
  );
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

/** Channels that were deleted, with all that was in them. */
function* withoutGoneChannels({ request }: Reading, there: ReadonlySet<string>): Generator<SourceEvent> {
  for (const scope of request.cursors.keys()) {
    const id = /^channel\/(.+)$/.exec(scope)?.[1];
    if (id === undefined || there.has(id)) continue;
    yield* emptied(postScope(request.object.id, id));
    yield { type: 'cursor', scope: historyScope(id), value: null };
    yield* nothingLeft(channelScan(id));
  }
}
