import { isObject, numberOf, textOf } from '../json.ts';

/**
 * How far a scope has been read, as its cursor stores it.
 *
 * - `scan`: in the first round, on the way from nothing
 * - `rescan`: in a round that started over because the delta link expired; it cannot be resumed in its middle, since removed items show
 *   only when the whole scope is listed at once
 * - `round`: the whole scope was listed once; the link lists what has changed since
 */
export interface DeltaCursor {
  phase: 'scan' | 'rescan' | 'round';
  /** `null` at the very beginning. */
  link: string | null;
  /** When it was asked last. */
  askedMs: number;
  /** When the whole scope was last listed at once; 0 after a first round that was interrupted and resumed. Absent: unknown. */
  wholeMs?: number;
  /** What else the scope remembers. */
  memory?: Readonly<Record<string, string>>;
}

export const cursorText = (cursor: DeltaCursor): string => JSON.stringify(cursor);

/** @returns `null` for no cursor, and for one that another version wrote: then the whole scope is read again */
export function readCursor(text: string | undefined): DeltaCursor | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const phase = (['scan', 'rescan', 'round'] as const).find((one) => one === value['phase']);
    if (phase === undefined) return null;
    const wholeMs = numberOf(value['wholeMs']);
    const memory = isObject(value['memory']) ? value['memory'] : {};
    return {
      phase,
      link: textOf(value['link']) ?? null,
      askedMs: numberOf(value['askedMs']) ?? 0,
      ...(wholeMs === undefined ? {} : { wholeMs }),
      memory: Object.fromEntries(Object.entries(memory).map(([name, one]) => [name, String(one)])),
    };
  } catch {
    return null;
  }
}
