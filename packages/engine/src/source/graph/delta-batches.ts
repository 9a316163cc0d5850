import { inOrder } from '../../model/in-order.ts';
import type { BatchReply } from './batch.ts';
import type { GraphConnection, GraphPage } from './connection.ts';
import { type DeltaScope, type DeltaStep, emptied, readDelta } from './delta.ts';
import type { DeltaCursor } from './delta-cursor.ts';
import { GraphError, isSyncStateGone } from './graph-error.ts';
import { objectsOf, textOf } from './json.ts';
import { groupsOf, isGone } from './mailbox/read-items.ts';
import { bodyOfReply } from './whole-list.ts';

/** A collection, and where its reading goes on. */
export interface DeltaToRead {
  delta: DeltaScope;
  from: DeltaCursor | null;
}

const GROUP = 20;
const GROUPS_AT_ONCE = 2;

/**
 * Reads many collections of one workload, one after the other. Where each begins is asked for in batches, so that 20 that did not
 * change take one request on the wire. One that is gone is empty; one that lost its place begins anew.
 * @param refused what is told instead of a collection that Graph refuses; throws what concerns all of them
 */
export async function* readDeltas(
  connection: GraphConnection,
  collections: readonly DeltaToRead[],
  signal: AbortSignal,
  refused: (delta: DeltaScope, error: unknown) => DeltaStep[],
): AsyncGenerator<DeltaStep> {
  async function* groups() {
    yield* groupsOf(collections, GROUP);
  }
  const firsts = inOrder(groups(), GROUPS_AT_ONCE, async (group) => {
    const calls = group.map(({ delta, from }) => ({ path: linkOf(from) ?? delta.path, headers: delta.headers }));
    const replies = await connection.batch(calls, signal);
    return group.map((one, at) => ({ ...one, reply: replies[at] }));
  });
  for await (const group of firsts) {
    for (const { delta, from, reply } of group) {
      try {
        yield* fromReply(connection, { delta, from }, reply, signal);
      } catch (error) {
        if (!(error instanceof GraphError)) throw error;
        yield* isGone(error) ? emptied(delta) : refused(delta, error);
      }
    }
  }
}

function fromReply(
  connection: GraphConnection,
  { delta, from }: DeltaToRead,
  reply: BatchReply | undefined,
  signal: AbortSignal,
): AsyncGenerator<DeltaStep> {
  const isLost = reply !== undefined && 'error' in reply && isSyncStateGone(reply.error);
  if (isLost) return readDelta(connection, delta, { phase: 'rescan', link: null, askedMs: 0 }, signal);
  return readDelta(connection, delta, from, signal, pageOf(reply));
}

/** A rescan that broke off cannot go on from its middle. */
const linkOf = (from: DeltaCursor | null) => (from?.phase === 'rescan' ? null : (from?.link ?? null));

function pageOf(reply: BatchReply | undefined): GraphPage {
  const body = bodyOfReply(reply);
  return {
    value: objectsOf(body['value']),
    nextLink: textOf(body['@odata.nextLink']) ?? null,
    deltaLink: textOf(body['@odata.deltaLink']) ?? null,
  };
}
