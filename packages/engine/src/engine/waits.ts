import type { CatalogWait, CatalogWaits } from '../catalog/catalog.ts';
import { durationText } from '../model/duration-text.ts';
import type { OnEvent } from '../model/engine-event.ts';
import type { Clock } from '../source/graph/clock.ts';
import type { Work } from './work.ts';

/** Shorter waits belong to the pace that Microsoft allows every client. */
const LONG_MS = 30_000;

/**
 * A clock that reports long waits: without a word a user ends a program that makes no progress. A wait beside
 * another, and not much longer, is not reported again.
 * @param whose of whom is waited for: `Microsoft 365 (organization …)`
 */
export function reportingLongWaits(clock: Clock, whose: string, onEvent: OnEvent): Clock {
  let reportedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    of: clock.of ?? clock,
    now: () => clock.now(),
    sleep(ms, signal) {
      const untilMs = clock.now() + ms;
      if (ms > LONG_MS && untilMs > reportedUntilMs + LONG_MS) {
        reportedUntilMs = untilMs;
        const message = `Waiting ${durationText(ms)} for ${whose}, which takes no more requests meanwhile. It continues automatically.`;
        onEvent({ type: 'waiting', on: 'source', message, until: new Date(untilMs), holders: [] });
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

/** How a piece of work waits in the catalog: it can be stopped, and reports whom it waits for, of which nothing can be seen otherwise. */
export function catalogWaits({ signal, onEvent }: Work): CatalogWaits {
  return {
    signal,
    onWait({ until: on, holders }) {
      const whom = holders.length === 0 ? '' : ` (${holders.join('; ')})`;
      const message = `${WAITS[on]}${whom}.`;
      onEvent({ type: 'waiting', on, message, until: null, holders });
    },
  };
}
