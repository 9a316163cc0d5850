import type { Repository } from '@keepwatch/contract/inventory/repositories';
import { formatBytes } from '../../kit/format/numbers.ts';
import type { Urgency } from './fill-level.ts';

export interface Forecast {
  text: string;
  urgency: Urgency;
}

const DAY_MS = 86_400_000;
const NOW_DAYS = 7;
const SOON_DAYS = 30;

/** When a repository is full if it grows as in the last 30 days. How full it is now is another matter (fill-level.ts). */
export function forecastOf(repository: Repository, now: Date): Forecast {
  const { usedRatio, growthBytesPerDay, fullAt } = repository;
  if (usedRatio === null) return { text: 'not known', urgency: 'none' };
  if (usedRatio >= 1) return { text: 'full', urgency: 'now' };
  if (fullAt !== null) {
    const days = Math.max(0, Math.ceil((Date.parse(fullAt) - now.getTime()) / DAY_MS));
    return { text: fullInText(days), urgency: days <= NOW_DAYS ? 'now' : days <= SOON_DAYS ? 'soon' : 'none' };
  }
  if (growthBytesPerDay === null) return { text: 'too little history', urgency: 'none' };
  if (growthBytesPerDay <= 0) return { text: 'not growing', urgency: 'none' };
  return { text: 'not within a year', urgency: 'none' };
}

function fullInText(days: number): string {
  if (days === 0) return 'full today';
  return days === 1 ? 'full in 1 day' : `full in ${days} days`;
}

/** `grows 12 GB a day`, `shrinks 3 GB a day`. */
export function growthText(growthBytesPerDay: number | null): string {
  if (growthBytesPerDay === null) return 'growth not known yet';
  if (growthBytesPerDay === 0) return 'does not grow';
  const amount = `${formatBytes(Math.abs(growthBytesPerDay))} a day`;
  return growthBytesPerDay > 0 ? `grows ${amount}` : `shrinks ${amount}`;
}
