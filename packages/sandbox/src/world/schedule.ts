const minuteMs = 60_000;
export const dayMs = 86_400_000;

/**
 * When a job is due. All instants are milliseconds UTC; a **slot** is the instant a run was due, and it names the run.
 * A chained job has the slots of the job before it.
 */
export type Schedule =
  | { kind: 'daily'; minuteOfDay: number; weekdays: readonly number[] }
  | { kind: 'periodically'; periodMinutes: number; phaseMinutes: number }
  | { kind: 'continuously'; periodMinutes: number; phaseMinutes: number }
  | { kind: 'monthly'; minuteOfDay: number; week: 1 | 2 | 3 | 4; weekday: number }
  | { kind: 'chained'; to: Schedule }
  | { kind: 'not-scheduled' };

export const everyDay: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
export const workDays: readonly number[] = [1, 2, 3, 4, 5];

/** Slots in [fromMs, toMs), oldest first. */
export function slotsBetween(schedule: Schedule, fromMs: number, toMs: number): number[] {
  switch (schedule.kind) {
    case 'daily':
      return dailySlots(schedule, fromMs, toMs);
    case 'monthly':
      return dailySlots({ ...schedule, weekdays: [schedule.weekday] }, fromMs, toMs).filter(
        (slot) => Math.ceil(new Date(slot).getUTCDate() / 7) === schedule.week,
      );
    case 'periodically':
    case 'continuously':
      return periodicSlots(schedule, fromMs, toMs);
    case 'chained':
      return slotsBetween(schedule.to, fromMs, toMs);
    case 'not-scheduled':
      return [];
  }
}

/** The longest time between two slots, plus a day. */
export function reachMs(schedule: Schedule): number {
  switch (schedule.kind) {
    case 'periodically':
    case 'continuously':
      return 2 * schedule.periodMinutes * minuteMs;
    case 'monthly':
      return 40 * dayMs;
    case 'chained':
      return reachMs(schedule.to);
    case 'daily':
      return schedule.weekdays.length === 7 ? 2 * dayMs : 8 * dayMs;
    case 'not-scheduled':
      return 0;
  }
}

/**
 * A daily schedule by the customer's own clock.
 * @param localMinute minute of the local day, 0 to 1439
 * @param localWeekdays 0 is Sunday
 */
export function localDaily(localMinute: number, localWeekdays: readonly number[], offsetMinutes: number): Schedule {
  const minute = localMinute - offsetMinutes;
  const dayShift = Math.floor(minute / 1440);
  const weekdays = localWeekdays.map((weekday) => (weekday + dayShift + 7) % 7);
  return { kind: 'daily', minuteOfDay: minute - dayShift * 1440, weekdays };
}

/** The first slot after an instant, or undefined for a job that is never due. */
export function nextSlot(schedule: Schedule, afterMs: number): number | undefined {
  return slotsBetween(schedule, afterMs + 1, afterMs + 1 + reachMs(schedule))[0];
}

/** A whole number that grows by one from slot to slot (for daily and monthly schedules: the day). */
export function slotNumber(schedule: Schedule, slot: number): number {
  if (schedule.kind === 'chained') return slotNumber(schedule.to, slot);
  if (schedule.kind === 'periodically' || schedule.kind === 'continuously') {
    return Math.floor(slot / (schedule.periodMinutes * minuteMs));
  }
  return Math.floor(slot / dayMs);
}

function dailySlots(
  schedule: { minuteOfDay: number; weekdays: readonly number[] },
  fromMs: number,
  toMs: number,
): number[] {
  const slots: number[] = [];
  const offset = schedule.minuteOfDay * minuteMs;
  for (let slot = Math.ceil((fromMs - offset) / dayMs) * dayMs + offset; slot < toMs; slot += dayMs) {
    // 1 January 1970 was a Thursday, day 4 of a week that starts on Sunday.
    if (schedule.weekdays.includes((Math.floor(slot / dayMs) + 4) % 7)) slots.push(slot);
  }
  return slots;
}

function periodicSlots(
  schedule: { periodMinutes: number; phaseMinutes: number },
  fromMs: number,
  toMs: number,
): number[] {
  const slots: number[] = [];
  const period = schedule.periodMinutes * minuteMs;
  const phase = schedule.phaseMinutes * minuteMs;
  for (let slot = Math.ceil((fromMs - phase) / period) * period + phase; slot < toMs; slot += period) slots.push(slot);
  return slots;
}
