import type { CatalogWait } from '../catalog/catalog.ts';
import type { Clock } from '../source/graph/clock.ts';
import type { Output } from './output.ts';
import { timeText } from './text/progress-line.ts';

/** Shorter waits belong to the pace that Microsoft allows every client. */
const LONG_MS = 30_000;

/**
 * A clock that reports long waits: without a word a user ends a program that makes no progress. A wait beside
 * another, and not much longer, is not reported again.
 * @param whose of whom is waited for: `Microsoft 365 (organization …)`
 */
export function reportingLongWaits(clock: Clock, whose: string, output: Pick<Output, 'wait'>): Clock {
  let reportedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    now: () => clock.now(),
    sleep(ms, signal) {
      const untilMs = clock.now() + ms;
      if (ms > LONG_MS && untilMs > reportedUntilMs + LONG_MS) {
        reportedUntilMs = untilMs;
        const until = new Date(untilMs).toISOString();
        const text = `Waiting ${timeText(ms)} for ${whose}, which takes no more requests meanwhile. It continues automatically.`;
        output.wait(text, { seconds: Math.ceil(ms / 1_000), until });
      }
      return clock.sleep(ms, signal);
    },
  };
}

const WAITS: Readonly<Record<CatalogWait['until'], string>> = {
  passes:
    'Waiting for a verify or prune that reads all of the catalog; the new one takes its place when that has ended',
  commits: 'Waiting for what is being written into the catalog',
  exchange: 'Waiting for a rebuild that puts a new catalog in the place of this one',
};

/** Says what nothing can be seen of otherwise: that others who work in the catalog are waited for, and whom to look at. */
export function reportWait({ until, holders }: CatalogWait, output: Output): void {
  const whom = holders.length === 0 ? '' : ` (${holders.join('; ')})`;
  const text = `${WAITS[until]}${whom}. Ctrl-C is safe: nothing is lost that is in the repository or the present catalog.`;
  output.wait(text, { until, holders });
}
