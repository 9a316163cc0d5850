import type { Readable } from 'node:stream';
import type { Call, CallInput, CallReply } from '@keepwatch/contract/wire/call';
import type { PublicContext, SignedInContext } from './context.ts';
import type { Claimant } from './places.ts';

/** A download: streamed, never whole in memory. */
export interface Download {
  fileName: string;
  stream: Readable;
}

/** Every reply says `success: true`; the server adds it, so that no handler can forget or contradict it. */
type Reply<C extends Call> = C['reply'] extends 'csv' ? Download : Omit<CallReply<C>, 'success'>;
type Context<C extends Call> = C['access'] extends 'public' ? PublicContext : SignedInContext;
type Handler<C extends Call> = (
  context: Context<C>,
  input: CallInput<C> & (C extends { textBodyBytesMax: number } ? { text: string } : unknown),
) => Promise<Reply<C>>;

/** A declared call with what answers it. */
export interface Route {
  call: Call;
  /** Refuses before a body is read, or says by whom it is counted if it is large. Gets the path's parameters as they came. */
  admit?(context: PublicContext, params: unknown): Promise<Claimant>;
  /** `admit` limits how much one caller may send; the server's limits by address do not count this call. */
  isLimitedByItself?: boolean;
  handle(
    context: PublicContext,
    input: { params: unknown; query: unknown; body: unknown; text: string },
  ): Promise<object>;
}

/**
 * Puts a handler behind a declared call. The server checks access and parses the input by the call's own schemas before the
 * handler runs, which is what makes the narrower types of `handler` true.
 */
export function answer<C extends Call>(
  call: C,
  handler: Handler<C>,
  options: Pick<Route, 'admit' | 'isLimitedByItself'> = {},
): Route {
  return { call, handle: handler as unknown as Route['handle'], ...options };
}
