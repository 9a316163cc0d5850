/** Dates in the zone of the browser, as the specification shows them (part 9). Instants come as ISO text. */

const dateTime = new Intl.DateTimeFormat('en-US', {
  month: '2-digit',
  day: '2-digit',
  year: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hour12: true,
});

/** `MM/DD/YY hh:mm A`; `null` is a dash. */
export function formatDateTime(instant: string | null): string {
  if (instant === null) return '–';
  const parts = Object.fromEntries(dateTime.formatToParts(new Date(instant)).map((part) => [part.type, part.value]));
  return `${parts['month']}/${parts['day']}/${parts['year']} ${parts['hour']}:${parts['minute']} ${parts['dayPeriod']}`;
}

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: true });

/** `hh:mm:ss A`, for what follows each other within a minute; `null` is nothing. */
export function formatTime(instant: string | null): string {
  // Newer browsers put a narrow space before the half of the day.
  return instant === null ? '' : time.format(new Date(instant)).replace(/\s/g, ' ');
}

const timeOfDay = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hour12: true });

/** `hh:mm A`, of a moment of today. */
export function formatTimeOfDay(moment: Date): string {
  return timeOfDay.format(moment).replace(/\s/g, ' ');
}

/** A UTC calendar day (`2026-01-31`) as `01/31/26`. */
export function formatDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${month}/${date}/${year.slice(2)}`;
}

const STEPS: [number, string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** `5 minutes ago`, `in 3 hours`, `just now`; `null` is `never`. */
export function formatRelative(instant: string | null, now: Date): string {
  if (instant === null) return 'never';
  const elapsedMs = now.getTime() - Date.parse(instant);
  const [stepMs, unit] = STEPS.find(([step]) => Math.abs(elapsedMs) >= step) ?? [0, ''];
  if (stepMs === 0) return 'just now';
  const count = Math.floor(Math.abs(elapsedMs) / stepMs);
  const amount = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return elapsedMs > 0 ? `${amount} ago` : `in ${amount}`;
}
