import * as z from 'zod/mini';
import { page, sortBy } from './fields.ts';

/** The replies that most calls have, to be spread into a declaration. The server adds `success` to every one of them. */

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Page = typeof page;
type ListReply<E extends z.ZodMiniType, A extends Shape> = z.ZodMiniObject<
  { success: z.ZodMiniLiteral<true>; count: z.ZodMiniNumber<number>; data: z.ZodMiniArray<E> } & A
>;

/** Of a list: its query and reply, and by which fields it can be sorted. */
export interface List<E extends z.ZodMiniType, S extends readonly string[], Q extends Shape, A extends Shape> {
  query: z.ZodMiniObject<Page & Q & { sort: ReturnType<typeof sortBy<S>> }, z.core.$strict>;
  sorts: S;
  reply: ListReply<E, A>;
}

/** The same of a list that has one order. */
export interface UnsortedList<E extends z.ZodMiniType, Q extends Shape, A extends Shape> {
  query: z.ZodMiniObject<Page & Q, z.core.$strict>;
  reply: ListReply<E, A>;
}

/**
 * A list of an entity, a page at a time: `limit`, `offset` and `sort` beside the fields of `query`; the reply has the page, the count
 * of the whole list, and what `also` adds.
 */
export function listOf<
  E extends z.ZodMiniType,
  const S extends readonly [string, ...string[]],
  Q extends Shape = Record<never, never>,
  A extends Shape = Record<never, never>,
>(entity: E, parts: { sorts: S; query?: Q; also?: A }): List<E, S, Q, A>;
export function listOf<
  E extends z.ZodMiniType,
  Q extends Shape = Record<never, never>,
  A extends Shape = Record<never, never>,
>(entity: E, parts?: { query?: Q; also?: A }): UnsortedList<E, Q, A>;
/* @__NO_SIDE_EFFECTS__ */
export function listOf(
  entity: z.ZodMiniType,
  { sorts, query, also }: { sorts?: readonly [string, ...string[]]; query?: Shape; also?: Shape } = {},
) {
  const reply = z.object({ success: z.literal(true), count: z.int(), data: z.array(entity), ...also });
  if (sorts === undefined) return { query: z.strictObject({ ...page, ...query }), reply };
  return { query: z.strictObject({ ...page, ...query, sort: sortBy(sorts) }), sorts, reply };
}

/** One entity, or all of something that is never many (`itemOf(z.array(day))`), and what `also` adds. */
export function itemOf<E extends z.ZodMiniType, A extends Shape = Record<never, never>>(
  entity: E,
  also?: A,
): { reply: z.ZodMiniObject<{ success: z.ZodMiniLiteral<true>; data: E } & A> };
/* @__NO_SIDE_EFFECTS__ */
export function itemOf(entity: z.ZodMiniType, also?: Shape) {
  return { reply: z.object({ success: z.literal(true), data: entity, ...also }) };
}

/** Nothing but that it is done. */
export const done = { reply: z.object({ success: z.literal(true) }) };
