import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, request as sendWith } from 'undici';
import { orStopped } from '../../../model/stoppable.ts';
import { checkedLookup, type ResolveName, resolveName } from './graph-links.ts';

export interface HttpRequest {
  url: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
}

/** The head of a reply, and its body as it comes. */
export interface HttpReply {
  status: number;
  /** By its name in any case. A repeated one is joined by commas (RFC 9110, section 5.2). */
  header(name: string): string | null;
  /**
   * Decoded, to be read once. Who leaves before its end closes the connection. Throws what broke it, the reason of the signal, and an error
   * for bytes that cannot be decoded.
   */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that is not read any further, also while a reader waits for more of it. */
  discard(): void;
}

/**
 * Sends one request, once. A redirection is a reply like any other: whether it may be followed is not known here.
 * @throws why no reply came, and the reason of the signal
 */
export type Send = (request: HttpRequest) => Promise<HttpReply>;

/** SharePoint throttles sooner what does not say what it is; https://learn.microsoft.com/sharepoint/dev/general-development/how-to-avoid-getting-throttled-or-blocked-in-sharepoint-online */
const USER_AGENT = 'keepwatch';

/**
 * Sends over connections that stay open for the next requests, as many as there are requests under way: what may be under way is for
 * budgets to say, and how long for the signal.
 * @param ownHosts names of the hosts that may be of this machine or of a private network; those of no other link may
 */
export function openTransport(ownHosts: readonly string[] = [], resolve: ResolveName = resolveName): Send {
  const connect = { lookup: checkedLookup(new Set(ownHosts), resolve) };
  const dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  return async ({ url, method, headers, body = null, signal }) => {
    // A range counts the bytes as they are sent, so those must be the file's own.
    const given = { 'user-agent': USER_AGENT, 'accept-encoding': headers['range'] ? 'identity' : 'gzip', ...headers };
    signal.throwIfAborted();
    // The client observes the signal only once it is connected.
    return replyOf(await orStopped(sendWith(url, { dispatcher, method, headers: given, body, signal }), signal));
  };
}

type Answered = Awaited<ReturnType<typeof sendWith>>;

function replyOf({ statusCode: status, headers, body }: Answered): HttpReply {
  const header = (name: string) => {
    const value = headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  };
  const isEmpty = status === 204 || header('content-length') === '0';
  return {
    status,
    header,
    body: decoded(body, isEmpty ? null : header('content-encoding')),
    discard: () => body.destroy(),
  };
}

/** What ends before its encoding does is broken, where a browser would take what there is. @throws Error for what was not asked for */
function decoded(body: Readable, encoding: string | null): Readable {
  // The reader gets the error, possibly after it was raised.
  body.on('error', ignored);
  if (encoding === null || encoding === 'identity') return body;
  if (encoding === 'gzip') return pipeline(body, createGunzip(), ignored);
  body.destroy();
  throw new Error(`the reply is encoded as ‘${encoding}’, which was not asked for`);
}

const ignored = () => undefined;
