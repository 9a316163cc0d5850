export type Weekday = 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday';

/** Which of the matching days of a month. */
export type WeekOfMonth = 'first' | 'second' | 'third' | 'fourth' | 'last';

/** How often. The shapes are those of Microsoft Graph's `recurrencePattern`. */
export type RecurrencePattern =
  | { type: 'daily'; interval: number }
  | { type: 'weekly'; interval: number; daysOfWeek: readonly Weekday[]; firstDayOfWeek?: Weekday }
  | { type: 'absoluteMonthly'; interval: number; dayOfMonth: number }
  | { type: 'relativeMonthly'; interval: number; daysOfWeek: readonly Weekday[]; index: WeekOfMonth }
  | { type: 'absoluteYearly'; interval: number; month: number; dayOfMonth: number }
  | { type: 'relativeYearly'; interval: number; month: number; daysOfWeek: readonly Weekday[]; index: WeekOfMonth };

/** How long. Dates are calendar days `YYYY-MM-DD` in the item's time zone. */
export type RecurrenceRange =
  | { type: 'noEnd'; startDate: string }
  | { type: 'endDate'; startDate: string; endDate: string }
  | { type: 'numbered'; startDate: string; numberOfOccurrences: number };

export interface Recurrence {
  pattern: RecurrencePattern;
  range: RecurrenceRange;
}

/** An occurrence that was removed, or one that differs from the series. */
export type RecurrenceException =
  | { originalDate: string; change: 'deleted' }
  | {
      /** The calendar day `YYYY-MM-DD`, in the series' time zone, the occurrence had before it was changed. */
      originalDate: string;
      change: 'modified';
      startsAt: Date;
      endsAt: Date;
      /** Only what differs from the series. */
      subject?: string;
      location?: string;
      busyStatus?: BusyStatus;
      reminderMinutesBefore?: number | null;
      isAllDay?: boolean;
      bodyText?: string;
      bodyHtml?: string;
    };

export type BusyStatus = 'free' | 'tentative' | 'busy' | 'oof' | 'workingElsewhere';
