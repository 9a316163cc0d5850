import type { RepositoryCatalog } from '@keepwatch/engine/engine';

type GrowthDay = Awaited<ReturnType<RepositoryCatalog['growth']>>[number];

/** Days behind a forecast, and the fewest for one. */
export const GROWTH_DAYS = 30;
const DAYS_MIN = 3;
const DAY_MS = 24 * 3_600_000;

/**
 * Returns by how many bytes a day a repository grows: what came after the first of its last days, as the first may have brought everything that there
 * was. `null`: it is too new to say.
 * @param days those with a backup, oldest first
 */
export function growthPerDay(days: readonly GrowthDay[], now: Date): number | null {
  const [first, ...later] = days;
  if (first === undefined) return null;
  const elapsed = Math.floor((now.getTime() - Date.parse(first.day)) / DAY_MS);
  if (elapsed < DAYS_MIN) return null;
  return Math.round(later.reduce((sum, { bytesStored }) => sum + bytesStored, 0) / elapsed);
}
