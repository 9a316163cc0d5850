/** Where time comes from. Everything that asks for the time is given one, so that a test can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
