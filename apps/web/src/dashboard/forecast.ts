import type { Repository } from '@keepwatch/contract/monitoring/repositories';
import { formatBytes } from '../kit/format/numbers.ts';

export interface Forecast {
  text: string;
  /** How soon somebody has to act. */
  urgency: 'now' | 'soon' | 'none';
}

const DAY_MS = 86_400_000;
const NOW_DAYS = 7;
const SOON_DAYS = 30;
/** So full that the next large backup may not fit, whatever the growth was. */
const FULL_RATIO = 0.95;

/** When a repository is full if it goes on as in the last 30 days. */
export function forecastOf(repository: Repository, now: Date): Forecast {
  const { usedRatio, growthBytesPerDay, fullAt } = repository;
  const isFull = usedRatio !== null && usedRatio >= FULL_RATIO;
  if (usedRatio === null) return { text: 'not known', urgency: 'none' };
  if (usedRatio >= 1) return { text: 'full', urgency: 'now' };
  if (fullAt !== null) {
    const days = Math.max(0, Math.ceil((Date.parse(fullAt) - now.getTime()) / DAY_MS));
    return {
      text: fullInText(days),
      urgency: isFull || days <= NOW_DAYS ? 'now' : days <= SOON_DAYS ? 'soon' : 'none',
    };
  }
  const urgency = isFull ? 'now' : 'none';
  if (growthBytesPerDay === null) return { text: 'too little history', urgency };
  if (growthBytesPerDay <= 0) return { text: 'not growing', urgency };
  return { text: 'not within a year', urgency };
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
