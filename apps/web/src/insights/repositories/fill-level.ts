/** How soon the user has to act. */
export type Urgency = 'now' | 'soon' | 'none';

export interface FillLevel {
  /** The word beside the figure; `null` if there is enough free space. */
  word: string | null;
  urgency: Urgency;
}

/**
 * From which used share on a repository needs attention, whatever its growth. The specification names no share: with less
 * than a tenth free backup servers warn by themselves, and with less than a twentieth the next full backup may not fit.
 */
export const FILL_LEVELS = [
  { fromRatio: 0.95, word: 'nearly full', urgency: 'now' },
  { fromRatio: 0.9, word: 'filling up', urgency: 'soon' },
] as const;

const ROOM_ENOUGH: FillLevel = { word: null, urgency: 'none' };

/** How full `usedRatio` (0 to 1; `null`: not known) is, in words. */
export function fillLevelOf(usedRatio: number | null): FillLevel {
  if (usedRatio === null) return ROOM_ENOUGH;
  if (usedRatio >= 1) return { word: 'full', urgency: 'now' };
  return FILL_LEVELS.find(({ fromRatio }) => usedRatio >= fromRatio) ?? ROOM_ENOUGH;
}
