import { offsetMs } from './time-zones.ts';

const MINUTE_MS = 60_000;

/** An instant as the clocks of a zone show it, with how far they are ahead of UTC: `2026-01-31T14:05:09.000+01:00`. */
export function zonedText(timeZone: string, instant: string): string {
  const atMs = Date.parse(instant);
  const aheadMs = offsetMs(atMs, timeZone);
  return `${new Date(atMs + aheadMs).toISOString().slice(0, -1)}${aheadText(aheadMs)}`;
}

/** The same for the name of a file, without milliseconds and the colons that Windows refuses: `2026-01-31T14-05-09+0100`. */
export function zonedFileText(timeZone: string, at: Date): string {
  return zonedText(timeZone, at.toISOString())
    .replace(/\.\d+/, '')
    .replace(/(T\d\d):(\d\d):/, '$1-$2-')
    .replace(':', '');
}

function aheadText(aheadMs: number): string {
  if (aheadMs === 0) return 'Z';
  const minutes = Math.abs(aheadMs) / MINUTE_MS;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${aheadMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
