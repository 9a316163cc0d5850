/** How far something is. `total` is `null` while it is unknown. */
export interface Progress {
  /** In the user's words: `Reading Ada Lovelace`. */
  what: string;
  done: number;
  total: number | null;
  unit: 'bytes' | 'items' | 'objects' | 'packs' | 'commits';
  /** Bytes read or written so far, for the rate. */
  bytes?: number;
  /** Of a backup: bytes of the packs that it has stored so far. */
  bytesStored?: number;
  /** Items done so far, where they are not what is counted. */
  items?: number;
}

/** How fast something goes, and how long it will take at that rate. */
export interface Pace {
  perSecond: number;
  unit: 'bytes' | 'items' | 'objects' | 'packs' | 'commits';
  /** `null` where the total is unknown, or nothing is done yet. */
  leftMs: number | null;
}

const RATE_AFTER_MS = 1_000;
const ESTIMATE_AFTER_MS = 3_000;

/**
 * Says how fast it goes and how long it will take.
 * @param elapsedMs since this kind of progress began
 * @returns `null` while that says nothing
 */
export function paceOf({ done, total, unit, bytes, items }: Progress, elapsedMs: number): Pace | null {
  if (elapsedMs < RATE_AFTER_MS) return null;
  const moved = bytes ?? (unit === 'bytes' ? done : undefined);
  const [count, of] =
    moved !== undefined
      ? ([moved, 'bytes'] as const)
      : items !== undefined
        ? ([items, 'items'] as const)
        : ([done, unit] as const);
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  const isEstimated = share > 0 && share < 1 && elapsedMs >= ESTIMATE_AFTER_MS;
  return {
    perSecond: (count / elapsedMs) * 1_000,
    unit: of,
    leftMs: isEstimated ? (elapsedMs / share) * (1 - share) : null,
  };
}
