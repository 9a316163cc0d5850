import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import { type DeltaScope, type DeltaStep, isRemoved } from '../delta/delta.ts';
import { inBatches, readDeltas } from '../delta/delta-batches.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { type JsonObject, textOf } from '../json.ts';
import { groupsOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { wholeList } from '../whole-list.ts';
import { threadsOf } from './channel-history.ts';
import { channelContainer, channelPath } from './team-parts.ts';

const GROUP = 20;
const GROUPS_AT_ONCE = 2;

export function postScope(teamId: string, channelId: string): DeltaScope {
  return {
    scope: `posts/${channelId}`,
    path: `${channelPath(teamId, channelId)}/messages/delta?$top=50`,
    headers: {},
    kinds: ['post', 'reply'],
    parentId: channelId,
  };
}

type Unit = { channelId: string; posts: JsonObject[] } | { events: SourceEvent[] };

/**
 * Posts of channels that changed or were replied to, with all their replies. Nothing vanishes from a channel: what people delete stays as
 * a message without text. So a delta that starts from the beginning, and returns the last eight months alone, is no scan.
 */
export async function* readPosts(reading: Reading, channelIds: readonly string[]): AsyncGenerator<SourceEvent> {
  const { request } = reading;
  const deltas = channelIds.map((id) => {
    const delta = postScope(request.object.id, id);
    const container = channelContainer(request.object.id, id);
    return { delta, container, from: readCursor(request.cursors.get(delta.scope)) };
  });
  const units = unitsOf(readDeltas(reading, inBatches(deltas)));
  for await (const events of inOrder(units, GROUPS_AT_ONCE, (unit) => eventsOf(reading, unit))) yield* events;
}

async function* unitsOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Unit> {
  for await (const step of steps) {
    if (step.type === 'scan-begin' || step.type === 'scan-end') continue;
    if (step.type !== 'page') yield { events: [step] };
    else {
      const channelId = step.scope.parentId ?? '';
      const there = step.values.filter((post) => !isRemoved(post));
      for (const posts of groupsOf(there, GROUP)) yield { channelId, posts };
    }
  }
}

async function eventsOf(reading: Reading, unit: Unit): Promise<SourceEvent[]> {
  if ('events' in unit) return unit.events;
  const { connection, request } = reading;
  const base = `${channelPath(request.object.id, unit.channelId)}/messages`;
  const calls = unit.posts.map(({ id }) => ({
    path: `${base}/${encodeURIComponent(textOf(id) ?? '')}/replies?$top=50`,
  }));
  const replies = await repliesTo(connection, calls, request.signal);
  return threadsOf(reading, unit.channelId, unit.posts, (index) =>
    wholeList(connection, replies[index], request.signal),
  );
}
