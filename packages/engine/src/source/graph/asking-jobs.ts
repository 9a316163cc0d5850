const DAY_MS = 86_400_000;
const ASKS_FOR_MS = 30 * DAY_MS;

/** Whether a job that ran last then still asks for what its options say of an object: one that has not run for 30 days was deleted. */
export const stillAsks = (ranMs: number, nowMs: number): boolean => nowMs - ranMs < ASKS_FOR_MS;

/** When a job ran last, to the day, so that its runs of one day change nothing. */
export const ranToTheDay = (beforeMs: number | undefined, nowMs: number): number =>
  beforeMs !== undefined && nowMs - beforeMs < DAY_MS ? beforeMs : nowMs;
