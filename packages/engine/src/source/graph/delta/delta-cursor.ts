import { isObject, numberOf, textOf } from '../json.ts';

/**
 * Where the reading of a scope stands, as its cursor keeps it.
 *
 * - `scan`: in the first round, on the way from nothing
 * - `rescan`: in a round that began anew because the place was lost; it cannot go on from its middle, since what vanished shows only
 *   when all of it was told in one go
 * - `round`: all was told once; the link tells what changed since
 */
export interface DeltaCursor {
  phase: 'scan' | 'rescan' | 'round';
  /** `null` at the very beginning. */
  link: string | null;
  /** When it was asked last. */
  askedMs: number;
  /** When all of it was told last, in one go; 0 for a first round that was broken off and went on. Without: unknown. */
  wholeMs?: number;
  /** What else the scope remembers. */
  memory?: Readonly<Record<string, string>>;
}

export const cursorText = (cursor: DeltaCursor): string => JSON.stringify(cursor);

/** @returns `null` for no cursor, and for one that another version wrote: the scope is told anew */
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
