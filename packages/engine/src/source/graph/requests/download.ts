import { createHash } from 'node:crypto';
import { EngineError } from '../../../model/engine-error.ts';
import { onAbort } from '../../../model/on-abort.ts';
import { GraphError } from '../graph-error.ts';
import { pauseMs, unreachable } from './attempts.ts';
import type { AdmittedReply, GraphCall, Requests } from './requests.ts';
import type { HttpReply } from './transport.ts';

/** Breaks after which a download is given up; the count starts again whenever bytes have arrived. */
const MOST_BREAKS = 5;

export interface DownloadCall extends GraphCall {
  /** Another link to the same bytes, for when the one at hand is refused: those that need no token expire. */
  renew?(): Promise<string>;
}

/**
 * The bytes of a reply as they come. After a break the rest is asked for by range; a server that then sends all of it is read
 * over what came before. A change of the content meanwhile (another ETag, or other bytes of an answer that is generated for each request) is an
 * error: half of each is no version of the file.
 *
 * @throws GraphError for a refusal, EngineError `source-unreachable` after five breaks without a byte between them
 */
export async function* download(requests: Requests, call: DownloadCall): AsyncGenerator<Uint8Array> {
  let position = 0;
  let breaks = 0;
  let tag: string | null = null;
  let { path } = call;
  const { renew, ...request } = call;
  let mayRenew = renew !== undefined;
  // Only its bytes show that the second answer to a POST is the same as the first.
  const seen = call.method === 'POST' ? createHash('sha256') : null;
  for (;;) {
    const range: Record<string, string> = position > 0 ? { range: `bytes=${position}-` } : {};
    const headers = { ...call.headers, ...range };
    const opening = requests.perform({ ...request, path, headers }, openBody);
    const opened = await opening.catch((error: unknown) => {
      if (!mayRenew || !isExpired(error)) throw error;
      return null;
    });
    if (opened === null) {
      path = (await renew?.()) ?? path;
      mayRenew = false;
      continue;
    }
    const { reply, leave } = opened;
    let behind = reply.status === 206 ? 0 : position;
    const newTag = reply.header('etag');
    let again = seen !== null && behind > 0 ? createHash('sha256') : null;
    try {
      if (tag !== null && newTag !== null && newTag !== tag) throw changed(requests, call);
      tag ??= newTag;
      for await (const bytes of chunksOf(reply, requests.timeLimitMs, call.signal)) {
        const known = Math.min(behind, bytes.length);
        const news = bytes.subarray(known);
        again?.update(bytes.subarray(0, known));
        behind -= known;
        if (news.length === 0) continue;
        if (again !== null && again.digest('hex') !== seen?.copy().digest('hex')) throw changed(requests, call);
        again = null;
        seen?.update(news);
        position += news.length;
        breaks = 0;
        mayRenew = renew !== undefined;
        yield news;
      }
      return;
    } catch (cause) {
      call.signal?.throwIfAborted();
      if (cause instanceof EngineError) throw cause;
      breaks += 1;
      if (breaks >= MOST_BREAKS) throw unreachable(`GET ${nameOf(requests, call)}`, cause);
      await requests.clock.sleep(pauseMs(breaks), call.signal);
    } finally {
      leave();
    }
  }
}

function changed(requests: Requests, call: GraphCall): EngineError {
  const message = `${nameOf(requests, call)} changed while it was read. It is read again with the next run.`;
  return new EngineError('source-refused', message, { isRetryable: true });
}

/** Without the query, which may contain a permission. */
const nameOf = (requests: Requests, { path }: GraphCall) => requests.pathOf(path).split('?', 1)[0] ?? '';

const isExpired = (error: unknown) => error instanceof GraphError && [401, 403, 404, 410].includes(error.status);

async function openBody({ reply, retainPlace }: AdmittedReply) {
  return { reply, leave: retainPlace() };
}

/** @throws what breaks the body, the reason of the signal, and an error when no data arrives within the time limit */
async function* chunksOf(
  reply: HttpReply,
  idleLimitMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const pieces = reply.body[Symbol.asyncIterator]();
  const discard = () => reply.discard();
  const giveUp = signal === undefined ? undefined : onAbort(signal, discard);
  try {
    for (;;) {
      const { value, done } = await orIdle(pieces.next(), idleLimitMs);
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    giveUp?.();
    discard();
  }
}

async function orIdle<T>(reading: Promise<T>, idleLimitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no data for ${idleLimitMs / 1_000} seconds`)), idleLimitMs).unref();
  });
  try {
    return await Promise.race([reading, idle]);
  } finally {
    clearTimeout(timer);
  }
}
