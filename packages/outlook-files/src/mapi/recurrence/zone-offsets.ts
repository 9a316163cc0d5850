const DAY = 86_400_000;
const MINUTE = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(iana: string): Intl.DateTimeFormat {
  const known = formats.get(iana);
  if (known) {
    return known;
  }
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: iana,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  });
  formats.set(iana, made);
  return made;
}

/** Minutes a zone is ahead of UTC at an instant. */
export function offsetMinutes(iana: string, at: Date): number {
  return Math.round((localTime(iana, at).getTime() - at.getTime()) / MINUTE);
}

/** What the clock on the wall shows, as if it were UTC. */
export function localTime(iana: string, at: Date): Date {
  const parts = new Map(
    format(iana)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return local;
}

export interface Transition {
  at: Date;
  /** Offsets in minutes. */
  before: number;
  after: number;
}

/** A zone's changes of offset within a year, in order. */
export function yearTransitions(iana: string, year: number): Transition[] {
  const transitions: Transition[] = [];
  const end = Date.UTC(year + 1, 0, 1);
  let from = Date.UTC(year, 0, 1);
  let before = offsetMinutes(iana, new Date(from));
  for (let to = from + DAY; to <= end; to += DAY) {
    const after = offsetMinutes(iana, new Date(to));
    if (after !== before) {
      transitions.push({ at: firstWithout(iana, before, from, to), before, after });
    }
    from = to;
    before = after;
  }
  return transitions;
}

/** The first minute of `(from, to]` at which the offset is not `before`. */
function firstWithout(iana: string, before: number, from: number, to: number): Date {
  let low = from / MINUTE;
  let high = to / MINUTE;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMinutes(iana, new Date(middle * MINUTE)) === before) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return new Date(high * MINUTE);
}
