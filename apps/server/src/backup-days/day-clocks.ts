import {
  type BackupClock,
  dayNumberOf,
  dayText,
  isSameClock,
  startOfDayNumber,
  UTC_CLOCK,
} from '@keepwatch/contract/backup-days/backup-day';

/** A clock, and the instant from which on runs are counted by it. */
export interface DayClock extends BackupClock {
  fromMs: number;
  /** The zone in whose place UTC is, because this machine does not know it any more: days up to now may have been counted by it. */
  unknownTimeZone: string | null;
}

/** A clock of a provider, which may be in place of one of an unknown zone. */
export type ReplacingClock = BackupClock & Partial<Pick<DayClock, 'unknownTimeZone'>>;

/** A part of a day, in numbers of days since 1970 and milliseconds: all of it, unless the clocks changed within. */
export interface DayPart {
  day: number;
  fromMs: number;
  /** The first instant after it. */
  toMs: number;
}

/** Numbers of days, both included. */
export interface DaySpan {
  first: number;
  last: number;
}

const UTC_ALONE: DayClock = { ...UTC_CLOCK, fromMs: Number.NEGATIVE_INFINITY, unknownTimeZone: null };

/** The clocks by which the runs of one provider are counted: each run by the one that held when it began. */
export class DayClocks {
  /** Oldest first; the first one begins before all runs. */
  readonly all: readonly DayClock[];
  /** What the last run was counted into: the runs of a batch are of few days. */
  #last: DayPart = { day: 0, fromMs: 0, toMs: 0 };

  constructor(all: readonly DayClock[] = []) {
    this.all = all.length === 0 ? [UTC_ALONE] : all;
  }

  /** By which the provider counts now. */
  get newest(): DayClock {
    return this.all.at(-1) ?? UTC_ALONE;
  }

  /** Whether all runs are counted by one clock. */
  get isOne(): boolean {
    return this.all.length === 1;
  }

  /** Returns the number of the day into which a run that began at an instant is counted. */
  dayOf(atMs: number): number {
    if (atMs < this.#last.fromMs || atMs >= this.#last.toMs) this.#last = this.#partAt(atMs);
    return this.#last.day;
  }

  #partAt(atMs: number): DayPart {
    const place = this.all.findLastIndex(({ fromMs }) => fromMs <= atMs);
    const clock = this.all[place] ?? UTC_ALONE;
    return this.#partOf(dayNumberOf(clock, atMs), clock, place);
  }

  #partOf(day: number, clock: DayClock, place: number): DayPart {
    const untilMs = this.all[place + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const fromMs = Math.max(clock.fromMs, startOfDayNumber(clock, day));
    return { day, fromMs, toMs: Math.min(untilMs, startOfDayNumber(clock, day + 1)) };
  }

  /** Returns when the runs of some days began. Around a change of the clock a day has a part by each. */
  partsOf({ first, last }: DaySpan): DayPart[] {
    const days = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    const parts = this.all.flatMap((clock, place) => days.map((day) => this.#partOf(day, clock, place)));
    return parts.filter(({ fromMs, toMs }) => fromMs < toMs);
  }

  /** Returns the days into which runs between two instants are counted, the second one excluded. */
  daysBetween(fromMs: number, toMs: number): DaySpan {
    const ends = this.all.flatMap((clock, place) => {
      const begin = Math.max(fromMs, clock.fromMs);
      const end = Math.min(toMs, this.all[place + 1]?.fromMs ?? toMs);
      return begin < end ? [dayNumberOf(clock, begin), dayNumberOf(clock, end - 1)] : [];
    });
    return { first: Math.min(...ends), last: Math.max(...ends) };
  }

  /**
   * Returns the days of which sums of runs between two instants may be stored. By a zone that is no longer known each run may have been
   * counted into the day before or after the one of UTC.
   */
  daysStoredBetween(fromMs: number, toMs: number): DaySpan {
    const { first, last } = this.daysBetween(fromMs, toMs);
    const off = this.all.some(({ unknownTimeZone }) => unknownTimeZone !== null) ? 1 : 0;
    return { first: first - off, last: last + off };
  }

  /** The same clocks up to an instant; from it on all runs are counted by `clock`. */
  replacedFrom({ timeZone, beginHour, unknownTimeZone = null }: ReplacingClock, fromMs: number): DayClocks {
    const earlier = this.all.filter((other) => other.fromMs < fromMs);
    return new DayClocks([...earlier, { timeZone, beginHour, fromMs, unknownTimeZone }]);
  }

  /** Returns the first day that has no run of an earlier clock; `null` where there is no earlier one. */
  recountedFrom(): string | null {
    if (this.isOne) return null;
    const lasts = this.all
      .slice(0, -1)
      .map((clock, place) => dayNumberOf(clock, (this.all[place + 1]?.fromMs ?? 0) - 1));
    return dayText(Math.max(dayNumberOf(this.newest, this.newest.fromMs), ...lasts.map((day) => day + 1)));
  }

  /** Whether the provider counts by this clock already. */
  isBy(clock: BackupClock): boolean {
    return this.newest.unknownTimeZone === null && isSameClock(this.newest, clock);
  }
}
