/** What is done at events that come in bursts. */
export interface Bursts {
  event(): void;
  stop(): void;
}

/**
 * Calls `work` at once at the first event of a burst, and once more for all that follow within `gatherMs`: however many come, it is
 * called once in that time. `work` answers false where it cannot be done yet; it is then called again.
 */
export function gatherBursts(work: () => boolean, gatherMs: number): Bursts {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const begin = () => {
    isDue = !work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) begin();
    }, gatherMs);
  };
  return {
    event() {
      if (timer === undefined) begin();
      else isDue = true;
    },
    stop: () => clearTimeout(timer),
  };
}
