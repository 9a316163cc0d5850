import type { EngineError } from '../../../model/engine-error.ts';
import { inOrder } from '../../../model/in-order.ts';
import type { GraphPage } from '../connection.ts';
import { isSyncStateGone } from '../graph-error.ts';
import { objectsOf, textOf } from '../json.ts';
import { groupsOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Container, type Reply, repliesTo } from '../reading-failures.ts';
import { bodyOfReply } from '../whole-list.ts';
import { readUntilContainerFails } from './container-delta.ts';
import { type DeltaScope, type DeltaStep, dueFrom, readDelta } from './delta.ts';
import type { DeltaCursor } from './delta-cursor.ts';

/** A collection, and where its reading goes on. */
export interface DeltaToRead {
  container: Container;
  delta: DeltaScope;
  from: DeltaCursor | null;
}

const BATCH = 20;
const BATCHES_AT_ONCE = 2;

/** As many as go into one request on the wire. */
export const inBatches = (collections: readonly DeltaToRead[]): DeltaToRead[][] => groupsOf(collections, BATCH);

/** Gives the steps to report instead of a collection that Graph refuses; `null`: the collection failed. */
type Instead = (one: DeltaToRead, error: EngineError) => Steps | null;
type Steps = AsyncIterable<DeltaStep> | Iterable<DeltaStep>;

/**
 * Reads many collections of one workload, one after the other. Where each begins is asked for in batches, so that 20 that did not
 * change take one request on the wire. A collection that no longer exists is empty, one whose delta link expired is read again from its
 * start, and the failure of one is reported.
 * @param batches what is asked for together
 */
export async function* readDeltas(
  reading: Reading,
  batches: readonly DeltaToRead[][],
  instead: Instead = () => null,
): AsyncGenerator<DeltaStep> {
  const { connection, request } = reading;
  const nowMs = connection.serverNow();
  async function* groups() {
    for (const batch of batches) yield batch.map((one) => ({ ...one, from: dueFrom(one.delta, one.from, nowMs) }));
  }
  const firsts = inOrder(groups(), BATCHES_AT_ONCE, async (group) => {
    const calls = group.map(({ delta, from }) => ({ path: linkOf(from) ?? delta.path, headers: delta.headers }));
    const replies = await repliesTo(connection, calls, request.signal);
    return group.map((one, index) => ({ ...one, reply: replies[index] }));
  });
  for await (const group of firsts) {
    for (const { reply, ...one } of group) {
      const replacement = reply !== undefined && 'error' in reply ? instead(one, reply.error) : null;
      yield* readUntilContainerFails(reading, one.delta, one.container, replacement ?? fromReply(reading, one, reply));
    }
  }
}

async function* fromReply(
  { connection, request }: Reading,
  { delta, from }: DeltaToRead,
  reply: Reply | undefined,
): AsyncGenerator<DeltaStep> {
  const isLost = reply !== undefined && 'error' in reply && isSyncStateGone(reply.error);
  if (isLost) yield* readDelta(connection, delta, { phase: 'rescan', link: null, askedMs: 0 }, request.signal);
  else yield* readDelta(connection, delta, from, request.signal, pageOf(reply));
}

/** A rescan that broke off cannot go on from its middle. */
export const linkOf = (from: DeltaCursor | null) => (from?.phase === 'rescan' ? null : (from?.link ?? null));

function pageOf(reply: Reply | undefined): GraphPage {
  const body = bodyOfReply(reply);
  return {
    value: objectsOf(body['value']),
    nextLink: textOf(body['@odata.nextLink']) ?? null,
    deltaLink: textOf(body['@odata.deltaLink']) ?? null,
  };
}
