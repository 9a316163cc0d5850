import type * as z from 'zod/mini';
import type { Ability } from '../abilities.ts';

/**
 * A call is declared once, here in the contract, and used from there by the server (route, validation, guard,
 * serialisation), the browser (typed client), the OpenAPI page and the tests.
 */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, parameters in braces: `/monitoring/backoffice/jobExecutions/{id}`. */
  path: string;
  /** Who may: `public`, any `signed-in` user, or users with the ability (with one of them, if a list). */
  access: 'public' | 'signed-in' | Ability | readonly Ability[];
  params?: z.ZodMiniType;
  /** Dotted keys arrive as nested objects: `filter.companyIds=a` is `{ filter: { companyIds: ['a'] } }`. */
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** What leaves, field by field; `csv` for a streamed download. */
  reply: z.ZodMiniType | 'csv';
  /** What the user reads when it fails for an unexpected reason. */
  failure: string;
  /** One sentence for the OpenAPI page. */
  summary: string;
  /** Largest body in bytes; `BODY_BYTES_DEFAULT` if omitted. */
  bodyBytesMax?: number;
  /** Accepts the body unchanged, as a text of at most this many bytes, instead of JSON. */
  textBodyBytesMax?: number;
}

/** Largest body of a call that does not say otherwise: far more than any form of a page sends. */
export const BODY_BYTES_DEFAULT = 64 * 1024;
/** Largest body of calls that need no sign-in. */
export const PUBLIC_BODY_BYTES = 16 * 1024;
/** Largest body of calls that accept lists of 1,000 ids: two of them, and a long note. */
export const LIST_BODY_BYTES = 256 * 1024;

/** Declares a call; keeps the exact types of its schemas. */
export function declareCall<const C extends Call>(call: C): C {
  return call;
}

type IngestResult<C extends Call, K extends 'params' | 'query' | 'body'> = C[K] extends z.ZodMiniType
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
  params: IngestResult<C, 'params'>;
  query: IngestResult<C, 'query'>;
  body: IngestResult<C, 'body'>;
}

/** What a caller gives: parts without required fields may be omitted. */
export type CallRequest<C extends Call> = Given<C, 'params'> & Given<C, 'query'> & Given<C, 'body'>;

/** What comes back. A CSV is the text. */
export type CallReply<C extends Call> = C['reply'] extends z.ZodMiniType ? z.output<C['reply']> : string;
