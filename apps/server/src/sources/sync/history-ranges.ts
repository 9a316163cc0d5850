/** A time range without its end. */
export interface TimeRange {
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;
/** How far back the first sync reads. */
export const HISTORY_DAYS = 100;
/** Read again at every sync, as vendors report a run some time after it ended. */
export const OVERLAP_MS = 2 * 3_600_000;
/** New time of less than an hour beyond the overlap needs no search: the regular search for missed runs covers it. */
const SEARCHED_MS = OVERLAP_MS + 3_600_000;
/** Searched around a range, as a gap that ends in it may begin before it. Weekly jobs run once in that time. */
const AROUND_MS = 8 * DAY_MS;
/**
 * Longest step in days. Short steps show progress and lose little when a sync is killed. But each step evaluates the runs after it
 * again, so that a hundred steps of one day would cost ten times as much.
 */
const STEP_DAYS_MAX = 8;

/**
 * Returns the unread ranges of the last 100 days: those that an earlier sync left, and the time since the last one.
 * @param readTo the time up to which the source was read before; `null`: never
 */
export function unreadRanges(readTo: Date | null, left: readonly TimeRange[], to: Date): TimeRange[] {
  const earliestMs = to.getTime() - HISTORY_DAYS * DAY_MS;
  const since = readTo === null ? earliestMs : Math.min(readTo.getTime(), to.getTime()) - OVERLAP_MS;
  return joined([...left, { from: new Date(since), to }])
    .map(({ from, to: end }) => ({ from: new Date(Math.max(from.getTime(), earliestMs)), to: end }))
    .filter(({ from, to: end }) => from < end);
}

/** Selects the unread ranges to search for missed runs once they are read. */
export function toSearch(unread: readonly TimeRange[]): TimeRange[] {
  return unread.filter(({ from, to }) => to.getTime() - from.getTime() >= SEARCHED_MS);
}

/**
 * Returns where to search for missed runs: the unsearched ranges and some days around them, up to `to`, but not in unread ranges,
 * where it is unknown what ran.
 */
export function searchRanges(unsearched: readonly TimeRange[], unread: readonly TimeRange[], to: Date): TimeRange[] {
  const around = unsearched.map((range) => ({
    from: new Date(range.from.getTime() - AROUND_MS),
    to: new Date(Math.min(range.to.getTime() + AROUND_MS, to.getTime())),
  }));
  return unread.reduce(without, joined(around));
}

/**
 * Returns the ranges with the last runs of jobs that may have stalled unnoticed: the range up to now that was just read, and, for an
 * earlier range that was read late, also all time before it. Never before an unread range, which may have a later run.
 */
export function unwatchedRanges(unsearched: readonly TimeRange[], unread: readonly TimeRange[], to: Date): TimeRange[] {
  return joined(unsearched.map((range) => (range.to < to ? { from: new Date(0), to: range.to } : range)))
    .map((range) => ({
      from: new Date(Math.max(range.from.getTime(), unread.at(-1)?.to.getTime() ?? 0)),
      to: range.to,
    }))
    .filter(({ from, to: end }) => from < end);
}

/** Intersects ranges with others. */
export function within(ranges: readonly TimeRange[], others: readonly TimeRange[]): TimeRange[] {
  return ranges.flatMap((range) =>
    others
      .map(({ from, to }) => ({ from: from > range.from ? from : range.from, to: to < range.to ? to : range.to }))
      .filter(({ from, to }) => from < to),
  );
}

/** Sorts ranges and merges adjacent ones. */
export function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.from.getTime() - other.from.getTime())) {
    const last = all.at(-1);
    if (last === undefined || range.from > last.to) all.push({ ...range });
    else if (range.to > last.to) last.to = range.to;
  }
  return all;
}

/** Cuts ranges into steps, newest first, so that the days that users look at are up to date within seconds. */
export function stepsOf(unread: readonly TimeRange[]): TimeRange[] {
  const steps: TimeRange[] = [];
  let days = 1;
  for (const { from, to } of [...unread].reverse()) {
    for (let end = to; end > from; ) {
      const start = new Date(Math.max(from.getTime(), startOfDay(end, days)));
      steps.push({ from: start, to: end });
      end = start;
      if (steps.length > 1) days = Math.min(days * 2, STEP_DAYS_MAX);
    }
  }
  return steps;
}

/** Returns midnight (UTC) some days, and at least half a day, before a time, as sources answer by the day. */
function startOfDay(end: Date, days: number): number {
  return Math.floor((end.getTime() - DAY_MS / 2) / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
}

/** Subtracts a range that was read. */
export function without(ranges: readonly TimeRange[], read: TimeRange): TimeRange[] {
  return ranges
    .flatMap(({ from, to }) => [
      { from, to: to < read.from ? to : read.from },
      { from: from > read.to ? from : read.to, to },
    ])
    .filter(({ from, to }) => from < to);
}
