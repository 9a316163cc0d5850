/** Where the time comes from. Given by the program, fixed by tests; nothing else asks the system for it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
