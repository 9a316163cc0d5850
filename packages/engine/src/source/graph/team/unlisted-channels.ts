import { EngineError } from '../../../model/engine-error.ts';
import type { SourceEvent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import { isGone } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Reply, repliesTo } from '../reading-failures.ts';
import { bodyOfReply } from '../whole-list.ts';
import { channelContainer, channelPath } from './team-parts.ts';

/** What became of channels that were backed up before and are not in the team's list. */
export interface UnlistedChannels {
  /** There all the same: lists are behind at times. */
  there: JsonObject[];
  gone: string[];
  /** Not given out, such as a private channel whose permission was withdrawn: what is stored of them stays. */
  refused: { id: string; event: SourceEvent }[];
}

/** Asks for each channel that is missing in the list: only its own answer says that it is gone. */
export async function unlistedChannels(
  { connection, request, failures }: Reading,
  listed: readonly JsonObject[],
): Promise<UnlistedChannels> {
  const { object, signal } = request;
  const inList = new Set(listed.map(({ id }) => textOf(id)));
  const ids = [...request.cursors.keys()].flatMap((scope) => {
    const id = /^channel\/(.+)$/.exec(scope)?.[1];
    return id === undefined || inList.has(id) ? [] : [id];
  });
  const found: UnlistedChannels = { there: [], gone: [], refused: [] };
  if (ids.length === 0) return found;
  const calls = ids.map((id) => ({ path: channelPath(object.id, id) }));
  const replies = await repliesTo(connection, calls, signal);
  for (const [at, id] of ids.entries()) {
    const answer = answerOf(replies[at]);
    const container = channelContainer(object.id, id);
    if (!(answer instanceof EngineError)) found.there.push(answer);
    else if (isGone(answer)) found.gone.push(id);
    else found.refused.push({ id, event: await failures.containerFailed(container, answer) });
  }
  return found;
}

function answerOf(reply: Reply | undefined): JsonObject | EngineError {
  try {
    return bodyOfReply(reply);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}
