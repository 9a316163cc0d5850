const DAY_MS = 86_400_000;

/** The moment so many days ago, as an ISO text: its first ten characters are the UTC day, its first seven the month. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
