import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from './launch-error.ts';

/** When what has ended is started again. */
export type RestartRules = {
  /** Pause before the first restart; it doubles with each quick death after that. */
  firstPauseMs: number;
  /** What lived shorter than this died quickly. */
  quickDeathMs: number;
  /** After so many quick deaths in a row it is given up. */
  quickDeathsMax: number;
};

export type RestartContext = {
  restart: RestartRules;
  /** Aborted once: nothing is started again. */
  ending: AbortSignal;
  /** A clock that only goes forward, in milliseconds. */
  now: () => number;
  report: (line: string) => void;
};

/**
 * Reports an end (`ended with exit code 3`) and waits for as long as the rules say.
 * @throws LaunchError when it is to be given up
 */
export type PauseAfterEnd = (what: string) => Promise<void>;

/** Counts the quick deaths of one thing; `subject` begins the lines about it (`The role "api"`). It is started when this is called. */
export function restartPauses(subject: string, { restart, ending, now, report }: RestartContext): PauseAfterEnd {
  let quickDeaths = 0;
  let startedMs = now();
  return async (what) => {
    quickDeaths = now() - startedMs < restart.quickDeathMs ? quickDeaths + 1 : 1;
    if (quickDeaths >= restart.quickDeathsMax) throw givenUp(subject, quickDeaths, what);
    const pauseMs = restart.firstPauseMs * 2 ** (quickDeaths - 1);
    report(`${subject} ${what}; starting it again in ${pauseMs / 1000} s.`);
    await delay(pauseMs, undefined, { signal: ending }).catch(() => undefined); // aborted: the caller sees it
    startedMs = now();
  };
}

function givenUp(subject: string, quickDeaths: number, what: string): LaunchError {
  return new LaunchError(
    `${subject} ended ${quickDeaths} times in quick succession; the last time it ${what}: giving up. ` +
      'Its own lines above say why.',
  );
}
