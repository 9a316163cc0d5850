/**
 * Dates as the specification shows them (part 9), by the clocks of a time zone: that of the browser unless one is given. Instants come as
 * ISO text.
 */

const two = '2-digit' as const;
const PARTS = {
  dateTime: { month: two, day: two, year: two, hour: two, minute: two, hour12: true },
  time: { hour: two, minute: two, second: two, hour12: true },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes as long as using it a thousand times. */
function formatOf(kind: keyof typeof PARTS, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${kind} ${timeZone}`;
  const zone = timeZone === undefined ? {} : { timeZone };
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...PARTS[kind], ...zone });
  formats.set(key, format);
  return format;
}

/** `MM/DD/YY hh:mm A`; `null` is a dash. */
export function formatDateTime(instant: string | null, timeZone?: string): string {
  if (instant === null) return '–';
  const shown = formatOf('dateTime', timeZone).formatToParts(new Date(instant));
  const parts = Object.fromEntries(shown.map((part) => [part.type, part.value]));
  return `${parts['month']}/${parts['day']}/${parts['year']} ${parts['hour']}:${parts['minute']} ${parts['dayPeriod']}`;
}

/** `hh:mm:ss A`, for what follows each other within a minute; `null` is nothing. */
export function formatTime(instant: string | null, timeZone?: string): string {
  // Newer browsers put a narrow space before the half of the day.
  return instant === null ? '' : formatOf('time', timeZone).format(new Date(instant)).replace(/\s/g, ' ');
}

const timeOfDay = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hour12: true });

/** `hh:mm A`, of a moment of today. */
export function formatTimeOfDay(moment: Date): string {
  return timeOfDay.format(moment).replace(/\s/g, ' ');
}

/** A calendar day (`2026-01-31`) as `01/31/26`. */
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
