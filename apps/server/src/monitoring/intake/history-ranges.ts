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

/** Ranges in order, those that touch made one. */
function joined(ranges: readonly TimeRange[]): TimeRange[] {
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
