const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours from UTC of the zones of RFC 822, and of those that programs write beside it. Names that mean several zones are not among them. */
const ZONES: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
  wet: 0,
  west: 1,
  met: 1,
  mest: 2,
  mez: 1,
  mesz: 2,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  sgt: 8,
  hkt: 8,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
};

const DATE = /^(?:[a-z]+\.?\s*,?\s*)?(\d{1,2})[\s-]+([a-z]{3,9})\.?[\s-]+(\d{2,})[\s,]+(.*)$/i;
/** The form of C's `asctime`, which old programs wrote: the year is behind the time. */
const ASCTIME = /^(?:[a-z]+\s*,?\s+)?([a-z]{3,9})\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?)\s+(?:([a-z]+)\s+)?(\d{4})$/i;
const TIME = /^(\d{1,2})\s*[:.]\s*(\d{1,2})(?:\s*[:.]\s*(\d{1,2})(?:\.\d+)?)?\s*(.*)$/;
/** Of the forms that are none of mail's: without a zone, the language would take them for the machine's own time. */
const HAS_ZONE = /(?:[+-]\d{2}:?\d{2}|[a-z])$/i;
const OFFSET = /^(?:(?:gmt|utc?)\s*)?([+-])(\d{2}):?(\d{2})/i;

/**
 * The instant of a date in a header, RFC 5322 3.3, in the obsolete forms of 4.3 too: comments between its parts, years of two and three
 * digits, no seconds, zones by name. A zone that is not known, or none, is UTC, as 4.3 asks for.
 * @returns `undefined` where it is no date
 */
export function mailDate(value: string): Date | undefined {
  const text = withoutComments(value).replace(/\s+/g, ' ').trim();
  const asctime = ASCTIME.exec(text);
  if (asctime) {
    const [, month = '', day = '', time = '', zone = '', year = ''] = asctime;
    return instant({ day, month, year }, `${time} ${zone}`);
  }
  const [, day, month, year, time] = DATE.exec(text) ?? [];
  if (day !== undefined && month !== undefined && year !== undefined && time !== undefined)
    return instant({ day, month, year }, time);
  if (!/\d{4}.*:|:.*\d{4}/.test(text)) return undefined;
  return valid(new Date(HAS_ZONE.test(text) ? text : `${text} UTC`));
}

/** Comments may be inside each other, so no pattern finds them. */
function withoutComments(value: string): string {
  let depth = 0;
  let text = '';
  for (const character of value) {
    if (character === '(') depth += 1;
    if (depth === 0) text += character;
    if (character === ')' && depth > 0) depth -= 1;
    if (depth === 0 && character === ')') text += ' ';
  }
  return text;
}

function instant(date: { day: string; month: string; year: string }, time: string): Date | undefined {
  const month = MONTHS.indexOf(date.month.slice(0, 3).toLowerCase());
  const [, hours, minutes, seconds = '0', zone = ''] = TIME.exec(time.trim()) ?? [];
  if (month < 0 || hours === undefined || minutes === undefined) return undefined;
  if (Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const found = new Date(0);
  found.setUTCFullYear(fullYear(date.year), month, Number(date.day));
  found.setUTCHours(Number(hours), Number(minutes) - minutesFromUtc(zone), Number(seconds));
  return valid(found);
}

/** RFC 5322 4.3: two digits below 50 are of this century, other two and all three count from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return digits.length === 3 ? 1900 + year : year;
}

function minutesFromUtc(zone: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const [name = '', addition] = zone.toLowerCase().split(' ');
  return ((ZONES[name] ?? 0) + (addition === 'dst' ? 1 : 0)) * 60;
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
