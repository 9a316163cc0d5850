/** A stretch of time, its end left out. */
export interface TimeRange {
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;
/** How far back the first sync reads. */
export const HISTORY_DAYS = 100;
/** Read again at every sync: vendors show a run some time after it ended. */
export const OVERLAP_MS = 2 * 3_600_000;
/** Of less than an hour that was not read before, the search for missed runs has seen all there is. */
const SEARCHED_MS = OVERLAP_MS + 3_600_000;
/** Searched around what was read: a gap that ends in it may begin before it. Weekly jobs run once in that time. */
const AROUND_MS = 8 * DAY_MS;
/**
 * Longest step in days. Short steps show progress and lose little when a sync is killed; but the runs after a step are judged
 * again with it, so that a hundred steps of one day would cost ten times as much as these.
 */
const STEP_DAYS_MAX = 8;

/**
 * What is not read yet: what an earlier sync left, and the time since the last one. Nothing lies further back than 100 days.
 * @param readTo up to where the source was read before; `null`: never
 */
export function unreadRanges(readTo: Date | null, left: readonly TimeRange[], to: Date): TimeRange[] {
  const earliestMs = to.getTime() - HISTORY_DAYS * DAY_MS;
  const since = readTo === null ? earliestMs : Math.min(readTo.getTime(), to.getTime()) - OVERLAP_MS;
  return joined([...left, { from: new Date(since), to }])
    .map(({ from, to: end }) => ({ from: new Date(Math.max(from.getTime(), earliestMs)), to: end }))
    .filter(({ from, to: end }) => from < end);
}

/** Which of what is unread has to be searched for missed runs once it is read. */
export function toSearch(unread: readonly TimeRange[]): TimeRange[] {
  return unread.filter(({ from, to }) => to.getTime() - from.getTime() >= SEARCHED_MS);
}

/**
 * Where to search for missed runs: what is not searched yet, and some days around it. Never in what is still unread, nobody knows
 * what ran there; and not beyond `to`.
 */
export function searchRanges(unsearched: readonly TimeRange[], unread: readonly TimeRange[], to: Date): TimeRange[] {
  const around = unsearched.map((range) => ({
    from: new Date(range.from.getTime() - AROUND_MS),
    to: new Date(Math.min(range.to.getTime() + AROUND_MS, to.getTime())),
  }));
  return unread.reduce(without, joined(around));
}

/**
 * Where the last runs lie of jobs that may have fallen silent while nobody watched: in the stretch up to now that was just read. An
 * earlier stretch that was read late may hold the last run of a job, or follow it. Never before what is still unread: there may be a
 * later run.
 */
export function unwatchedRanges(unsearched: readonly TimeRange[], unread: readonly TimeRange[], to: Date): TimeRange[] {
  return joined(unsearched.map((range) => (range.to < to ? { from: new Date(0), to: range.to } : range)))
    .map((range) => ({
      from: new Date(Math.max(range.from.getTime(), unread.at(-1)?.to.getTime() ?? 0)),
      to: range.to,
    }))
    .filter(({ from, to: end }) => from < end);
}

/** The parts of ranges that lie in others too. */
export function within(ranges: readonly TimeRange[], others: readonly TimeRange[]): TimeRange[] {
  return ranges.flatMap((range) =>
    others
      .map(({ from, to }) => ({ from: from > range.from ? from : range.from, to: to < range.to ? to : range.to }))
      .filter(({ from, to }) => from < to),
  );
}

/** Ranges in order, those that touch made one. */
export function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.from.getTime() - other.from.getTime())) {
    const last = all.at(-1);
    if (last === undefined || range.from > last.to) all.push({ ...range });
    else if (range.to > last.to) last.to = range.to;
  }
  return all;
}

/** The ranges cut into steps, the newest first: the days that people look at are right within seconds. */
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

/** Midnight (UTC) so many days before an instant, at least half a day before it: sources answer by the day. */
function startOfDay(end: Date, days: number): number {
  return Math.floor((end.getTime() - DAY_MS / 2) / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
}

/** What is left of ranges after a step of them was read. */
export function without(ranges: readonly TimeRange[], read: TimeRange): TimeRange[] {
  return ranges
    .flatMap(({ from, to }) => [
      { from, to: to < read.from ? to : read.from },
      { from: from > read.to ? from : read.to, to },
    ])
    .filter(({ from, to }) => from < to);
}
