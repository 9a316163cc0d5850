import type { Repository } from '@keepwatch/contract/inventory/repositories';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCounted } from '../../kit/format/numbers.ts';

export interface FullAt {
  text: string;
  /** `12/24/26`. */
  day: string | null;
  /** How soon a technician has to act: within a week, within a month. */
  urgency: 'now' | 'soon' | null;
}

const DAY_MS = 86_400_000;
const NOW_DAYS = 7;
const SOON_DAYS = 30;

/** When a repository is full if it grows as in the last 30 days, with the day. */
export function fullAtOf(
  { usedRatio, growthBytesPerDay, fullAt }: Pick<Repository, 'usedRatio' | 'growthBytesPerDay' | 'fullAt'>,
  now: Date,
  timeZone: string,
): FullAt {
  const known = (text: string, urgency: FullAt['urgency'] = null) => ({ text, day: null, urgency });
  if (usedRatio === null) return known('Capacity not known');
  if (usedRatio >= 1) return known('Full', 'now');
  if (fullAt === null)
    return known(
      growthBytesPerDay === null ? 'Too little history' : growthBytesPerDay <= 0 ? 'Not growing' : 'Not within a year',
    );
  const days = Math.max(0, Math.ceil((Date.parse(fullAt) - now.getTime()) / DAY_MS));
  const [day = ''] = formatDateTime(fullAt, timeZone).split(' ');
  const text = days === 0 ? 'Full today' : `Full in ${formatCounted(days, 'day', 'days')}`;
  return { text, day, urgency: days <= NOW_DAYS ? 'now' : days <= SOON_DAYS ? 'soon' : null };
}
