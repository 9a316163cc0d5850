import type { Clock } from '../source/graph/clock.ts';
import type { Output } from './output.ts';
import { timeText } from './text/progress-line.ts';

/** Shorter waits belong to the pace at which Microsoft lets anybody work. */
const LONG_MS = 30_000;

/**
 * A clock that says of long waits that they are waits: without a word somebody ends a program that stands still. Whoever waits beside
 * another, and not much longer, says nothing more.
 * @param whose of whom is waited for: `Microsoft 365 (organization …)`
 */
export function tellingWaits(clock: Clock, whose: string, output: Pick<Output, 'wait'>): Clock {
  let toldUntilMs = Number.NEGATIVE_INFINITY;
  return {
    now: () => clock.now(),
    sleep(ms, signal) {
      const untilMs = clock.now() + ms;
      if (ms > LONG_MS && untilMs > toldUntilMs + LONG_MS) {
        toldUntilMs = untilMs;
        const until = new Date(untilMs).toISOString();
        const text = `Waiting ${timeText(ms)} for ${whose}, which takes no more requests meanwhile. It goes on by itself.`;
        output.wait(text, { seconds: Math.ceil(ms / 1_000), until });
      }
      return clock.sleep(ms, signal);
    },
  };
}
