import { hash } from 'node:crypto';
import { EngineError } from '../../../model/engine-error.ts';
import type { ItemKind } from '../../../model/items.ts';
import type { Scan, SourceEvent } from '../../source.ts';
import type { GraphConnection, GraphPage } from '../connection.ts';
import { isSyncStateGone } from '../graph-error.ts';
import type { JsonObject } from '../json.ts';
import { cursorText, type DeltaCursor } from './delta-cursor.ts';

/** A collection that lists what changed in it. */
export interface DeltaScope {
  /** Name of its cursor. */
  scope: string;
  /** Where a first round begins. */
  path: string;
  headers: Readonly<Record<string, string>>;
  kinds: readonly ItemKind[];
  /** The container of all its items; `undefined`: the whole object. */
  parentId?: string | null;
  /** Whether it is read from its start once a month. Not for a collection whose delta does not list everything that is in it. */
  isRereadMonthly?: boolean;
}

/** What a delta gives: entities of one page, or an event as it is. */
export type DeltaStep = { type: 'page'; scope: DeltaScope; values: JsonObject[] } | SourceEvent;

/** The scan that a first round of the scope is. */
export function scanOf({ scope, kinds, parentId }: DeltaScope): Scan {
  return { scope, kinds, ...(parentId === undefined ? {} : { parentId }) };
}

const DAY_MS = 86_400_000;
const WHOLE_EVERY_MS = 30 * DAY_MS;
const SPREAD_MS = 7 * DAY_MS;

/**
 * Decides where to go on: from the start when the last full scan is a month old. Graph sometimes does not report a removal, and a backup that
 * reads only changes would retain the removed item for ever. Scopes are read from their start on different days.
 */
export function dueFrom(
  { scope, isRereadMonthly }: DeltaScope,
  from: DeltaCursor | null,
  nowMs: number,
): DeltaCursor | null {
  if (isRereadMonthly !== true || from?.phase !== 'round' || from.wholeMs === undefined) return from;
  const spreadMs = hash('sha1', scope, 'buffer').readUInt32LE(0) % SPREAD_MS;
  return nowMs - from.wholeMs < WHOLE_EVERY_MS - spreadMs ? from : { ...from, phase: 'rescan', link: null };
}

/**
 * Reads a scope from its cursor on. After an expired link (410) it starts over with a full scan.
 * @param first the page the cursor leads to, where the caller has read it already
 */
export async function* readDelta(
  connection: GraphConnection,
  delta: DeltaScope,
  from: DeltaCursor | null,
  signal: AbortSignal,
  first?: GraphPage,
): AsyncGenerator<DeltaStep> {
  const due = first === undefined ? dueFrom(delta, from, connection.serverNow()) : from;
  try {
    yield* readRound(connection, delta, due, signal, first);
  } catch (error) {
    if (!isSyncStateGone(error)) throw error;
    yield* readRound(connection, delta, { phase: 'rescan', link: null, askedMs: 0 }, signal);
  }
}

async function* readRound(
  connection: GraphConnection,
  delta: DeltaScope,
  from: DeltaCursor | null,
  signal: AbortSignal,
  first?: GraphPage,
): AsyncGenerator<DeltaStep> {
  const phase = from?.phase ?? 'scan';
  const askedMs = connection.serverNow();
  const scan = scanOf(delta);
  const whole = from?.wholeMs === undefined ? {} : { wholeMs: from.wholeMs };
  const link = phase === 'rescan' ? null : (from?.link ?? null);
  if (phase === 'rescan') yield cursorEvent(delta, { phase, link: null, askedMs });
  if (phase !== 'round') yield { type: 'scan-begin', scan, resumed: link !== null };
  const ask = (path: string) => connection.page({ path, headers: delta.headers, signal });
  let page = first ?? (await ask(link ?? delta.path));
  for (;;) {
    // The next page comes while the contents of this one are read; its failure is thrown when its turn comes.
    const next = page.nextLink === null ? null : { link: page.nextLink, page: ask(page.nextLink) };
    next?.page.catch(() => undefined);
    yield { type: 'page', scope: delta, values: page.value };
    if (next === null) break;
    if (phase !== 'rescan') yield cursorEvent(delta, { phase, link: next.link, askedMs, ...whole });
    page = await next.page;
  }
  // Before anything is reported as gone: a list without its end does not show what is missing from it.
  if (page.deltaLink === null) throw withoutEnd();
  if (phase !== 'round') yield { type: 'scan-end', scan };
  const wholeMs = phase === 'round' ? from?.wholeMs : link === null ? askedMs : 0;
  yield cursorEvent(delta, {
    phase: 'round',
    link: page.deltaLink,
    askedMs,
    ...(wholeMs === undefined ? {} : { wholeMs }),
  });
}

function withoutEnd(): EngineError {
  const message =
    'Microsoft 365 ended the list of what changed without saying where the next one begins, so it may not be whole: nothing is treated as deleted, and the next run asks again.';
  return new EngineError('source-refused', message, { isRetryable: true });
}

function cursorEvent({ scope }: DeltaScope, cursor: DeltaCursor): SourceEvent {
  return { type: 'cursor', scope, value: cursorText(cursor) };
}

/** The events of a container that no longer exists: a scan without items. */
export function emptied(delta: DeltaScope): SourceEvent[] {
  const scan = scanOf(delta);
  return [
    { type: 'scan-begin', scan, resumed: false },
    { type: 'scan-end', scan },
    { type: 'cursor', scope: delta.scope, value: null },
  ];
}

/** Whether an entity of a delta says that it left. */
export const isRemoved = (entity: JsonObject): boolean => '@removed' in entity;
