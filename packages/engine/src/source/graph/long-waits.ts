import { durationText } from '../../model/duration-text.ts';
import type { OnEvent } from '../../model/engine-event.ts';
import type { Clock } from './clock.ts';

/** Shorter waits belong to the pace that Microsoft allows every client. */
const LONG_MS = 30_000;

/**
 * A clock that reports long waits: without a word a user ends a program that makes no progress. A wait beside
 * another, and not much longer, is not reported again.
 * @param whose of whom is waited for: `Microsoft 365 (organization …)`
 */
export function reportingLongWaits(clock: Clock, whose: string, onEvent: OnEvent): Clock {
  let reportedUntilMs = Number.NEGATIVE_INFINITY;
  const onWait = (untilMs: number) => {
    const ms = untilMs - clock.now();
    if (ms <= LONG_MS || untilMs <= reportedUntilMs + LONG_MS) return;
    reportedUntilMs = untilMs;
    const message = `Waiting ${durationText(ms)} for ${whose}, which takes no more requests meanwhile. It continues automatically.`;
    onEvent({ type: 'waiting', on: 'source', message, until: new Date(untilMs), holders: [] });
  };
  return {
    of: clock.of ?? clock,
    now: () => clock.now(),
    onWait,
    sleep(ms, signal) {
      onWait(clock.now() + ms);
      return clock.sleep(ms, signal);
    },
  };
}
