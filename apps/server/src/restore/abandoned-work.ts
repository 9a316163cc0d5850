/** What ends its worker each time, by the memory that it needs for example, must not end all workers again and again. */
const CLAIMS_MAX = 3;

export const ABANDONED =
  'Each worker that began this ended unexpectedly, so it is not begun again. Look at the memory and the logs of the workers, and begin it again after that: it goes on from where it was.';

/** A job waits in the queue for a week at most. */
export const LOST_AFTER_MS = 8 * 24 * 3_600_000;

export const LOST = 'It did not end within 8 days. Look whether workers run, and begin it again.';

/** Whether each worker of a restore or download ended unexpectedly, as often as is allowed. */
export const isAbandoned = ({ claims }: { claims: number }): boolean => claims > CLAIMS_MAX;
