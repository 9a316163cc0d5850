import type { AuditAction } from '@keepwatch/contract/audit/actions';
import type { Call, CallInput, CallReply, FileReply } from '@keepwatch/contract/wire/call';
import type * as z from 'zod/mini';
import type { Audited, PublicContext, SignedInContext } from './context.ts';
import type { Claimant } from './places.ts';
import type { FileAnswer } from './replies/file-reply.ts';
import type { Redirect } from './replies/redirect-reply.ts';

/** What a handler answers. Every JSON reply says `success: true`; the server adds it, so that no handler can forget or contradict it. */
type Reply<C extends Call> = C['reply'] extends z.ZodMiniType
  ? Omit<CallReply<C>, 'success'>
  : C['reply'] extends FileReply
    ? FileAnswer<C['reply']>
    : C['reply'] extends 'redirect'
      ? Redirect
      : undefined;
type Context<C extends Call> = (C['access'] extends 'public' ? PublicContext : SignedInContext) &
  (C extends { audit: AuditAction } ? Audited : unknown);
/** The input as declared, and what only some calls declare. */
type Input<C extends Call> = CallInput<C> &
  (C extends { textBodyBytesMax: number } ? { text: string } : unknown) &
  (C extends { rawBody: object } ? { bytes: Buffer } : unknown) &
  (C extends { headers: readonly (infer H extends string)[] } ? { headers: Record<H, string | null> } : unknown);
type Handler<C extends Call> = (context: Context<C>, input: Input<C>) => Promise<Reply<C>>;

/** The input of any call, as the server has read it. */
export interface RouteInput {
  params: unknown;
  query: unknown;
  body: unknown;
  text: string;
  bytes: Buffer;
  headers: Readonly<Record<string, string | null>>;
}

/** A declared call with what answers it. */
export interface Route {
  call: Call;
  /** Refuses before a body is read, or says by whom it is counted if it is large. Gets the path's parameters as they came. */
  admit?(context: PublicContext, params: unknown): Promise<Claimant>;
  /** `admit` limits how much one caller may send; the server's limits by address do not count this call. */
  isLimitedByItself?: boolean;
  handle(context: PublicContext, input: RouteInput): Promise<object | undefined>;
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
