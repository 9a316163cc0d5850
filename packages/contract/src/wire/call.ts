import type * as z from 'zod/mini';
import type { Ability } from '../abilities.ts';
import type { AuditAction } from '../audit/actions.ts';

/**
 * A call is declared once, here in the contract, and used from there by the server (route, validation, guard,
 * serialisation), the browser (typed client), the OpenAPI page and the tests.
 */
export type Call = ReadingCall | ChangingCall;

interface Declared {
  /** Below `/api`, parameters in braces: `/monitoring/backoffice/jobExecutions/{id}`. */
  path: string;
  /** Who may: `public`, any `signed-in` user, or users with the ability (with one of them, if a list). */
  access: 'public' | 'signed-in' | Ability | readonly Ability[];
  /**
   * What a call with an ability needs besides: a `session`, so that no API key makes it; the `own-session` of the user, so that no
   * administrator makes it who acts as that user. Calls for any `signed-in` user need a session at least.
   */
  needs?: 'session' | 'own-session';
  /**
   * What a call for any `signed-in` user comes after, where the user has to do that first: choosing a `new-password`, or that and adding a
   * `second-factor`. Calls with an ability come after both.
   */
  after?: 'new-password' | 'second-factor';
  params?: z.ZodMiniType;
  /** Dotted keys arrive as nested objects: `filter.companyIds=a` is `{ filter: { companyIds: ['a'] } }`. */
  query?: z.ZodMiniType;
  /** Names of the request's headers that the handler gets beside the input. */
  headers?: readonly string[];
  /** What leaves: JSON, field by field; a file; an address to go to; nothing. */
  reply: z.ZodMiniType | FileReply | 'redirect' | 'empty';
  /** By which fields a list can be sorted (`listOf`). */
  sorts?: readonly string[];
  /** What the user reads when it fails for an unexpected reason. */
  failure: string;
  /** One sentence for the OpenAPI page. */
  summary: string;
}

/** A call that only reads. */
export interface ReadingCall extends Declared {
  method: 'GET';
  /** For what people must be able to see that it was read. */
  audit?: AuditAction;
  body?: undefined;
  bodyBytesMax?: undefined;
  textBodyBytesMax?: undefined;
  rawBody?: undefined;
}

/** A call that changes something, and says how the audit log calls that; `null` for what is not in it, with the reason in a comment. */
export type ChangingCall = Declared & { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; audit: AuditAction | null } & (
    | {
        body?: z.ZodMiniType;
        /** Largest body in bytes; `BODY_BYTES_DEFAULT` if omitted. */
        bodyBytesMax?: number;
        textBodyBytesMax?: undefined;
        rawBody?: undefined;
      }
    | {
        /** Accepts the body unchanged, as a text of at most this many bytes, instead of JSON. */
        textBodyBytesMax: number;
        body?: undefined;
        bodyBytesMax?: undefined;
        rawBody?: undefined;
      }
    | {
        /** Gives the handler the very bytes that arrived, over which a sender's signature is computed. */
        rawBody: RawBody;
        body?: undefined;
        bodyBytesMax?: undefined;
        textBodyBytesMax?: undefined;
      }
  );

export interface RawBody {
  bytesMax: number;
  /** Media types; another one is refused with 415. */
  types: readonly string[];
}

/** A file of one of some media types, streamed. */
export interface FileReply<T extends string = string, R extends boolean = boolean> {
  types: readonly T[];
  /** A client may ask for a part of it, and so continue a download that broke off. */
  ranges: R;
}

/** Declares a file as reply: `reply: file({ types: ['application/zip'], ranges: true })`. */
export function file<const F extends { types: readonly [string, ...string[]]; ranges?: true }>({
  types,
  ranges,
}: F): FileReply<F['types'][number], F extends { ranges: true } ? true : false>;
/* @__NO_SIDE_EFFECTS__ */
export function file({ types, ranges }: { types: readonly string[]; ranges?: true }): FileReply {
  return { types, ranges: ranges ?? false };
}

/** Whether a call answers a file. */
export function isFile(reply: Call['reply']): reply is FileReply {
  return typeof reply === 'object' && 'types' in reply;
}

/** The schema of a call that answers JSON, `null` for others. */
export function jsonOf(reply: Call['reply']): z.ZodMiniType | null {
  return typeof reply === 'string' || isFile(reply) ? null : reply;
}

/** Largest body of a call that does not say otherwise: far more than any form of a page sends. */
export const BODY_BYTES_DEFAULT = 64 * 1024;
/** Largest body of calls that need no sign-in. */
export const PUBLIC_BODY_BYTES = 16 * 1024;
/** Largest body of calls that accept lists of 1,000 ids: two of them, and a long note. */
export const LIST_BODY_BYTES = 256 * 1024;

/** Declares a call; keeps the exact types of its schemas. */
/* @__NO_SIDE_EFFECTS__ */
export function declareCall<const C extends Call>(call: C): C {
  return call;
}

type Parsed<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodMiniType
  ? z.output<C[K]>
  : undefined;
type Given<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodMiniType
  ? undefined extends z.input<C[K]>
    ? { [P in K]?: z.input<C[K]> }
    : Record<string, never> extends z.input<C[K]>
      ? { [P in K]?: z.input<C[K]> }
      : { [P in K]: z.input<C[K]> }
  : { [P in K]?: undefined };

/** What a handler gets: parsed, defaults filled in. */
export interface CallInput<C extends Call> {
  params: Parsed<C, 'params'>;
  query: Parsed<C, 'query'>;
  body: Parsed<C, 'body'>;
}

/** What a caller gives: parts without required fields may be omitted. */
export type CallRequest<C extends Call> = Given<C, 'params'> &
  Given<C, 'query'> &
  Given<C, 'body'> &
  (C extends { textBodyBytesMax: number } ? { text: string } : unknown);

/** What comes back: of a file its text or its bytes, of an empty reply nothing. A browser follows a redirect itself. */
export type CallReply<C extends Call> = C['reply'] extends z.ZodMiniType
  ? z.output<C['reply']>
  : C['reply'] extends FileReply<infer T>
    ? T extends `text/${string}`
      ? string
      : Blob
    : undefined;
