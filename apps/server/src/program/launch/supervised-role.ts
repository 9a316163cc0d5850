import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type ChildContext, type ChildEnd, type Command, describeEnd, runChild } from './child-run.ts';
import { AlreadyExplained, LaunchError } from './launch-error.ts';

/** When a role that has ended is started again. */
export type RestartRules = {
  /** Pause before the first restart; it doubles with each quick death after that. */
  firstPauseMs: number;
  /** A child that lived shorter than this died quickly. */
  quickDeathMs: number;
  /** After so many quick deaths in a row it is given up. */
  quickDeathsMax: number;
};

export type RoleContext = ChildContext & {
  restart: RestartRules;
  /** A clock that only goes forward, in milliseconds. */
  now: () => number;
  report: (line: string) => void;
};

/**
 * `ready` resolves with the lines the role wants shown once it first serves; `ended` when it has been asked to end
 * and has. Either rejects when the role cannot start, or dies again and again.
 */
export type SupervisedRole = { ready: Promise<string[]>; ended: Promise<void> };

/** What a child sends when it serves. */
const readyMessage = z.object({ ready: z.literal(true), lines: z.array(z.string()).default([]) });

/** Starts a role and keeps it running until the context asks for its end. */
export function superviseRole(command: Command, context: RoleContext): SupervisedRole {
  const { promise: ready, resolve, reject } = Promise.withResolvers<string[]>();
  const ended = keepRunning(command, context, resolve);
  ended.then(() => reject(new AlreadyExplained('ended before it was ready')), reject);
  ready.catch(() => undefined); // `ended` rejects with the same error; a launcher that is past `ready` reads only that.
  return { ready, ended };
}

async function keepRunning(command: Command, context: RoleContext, onReady: (lines: string[]) => void): Promise<void> {
  let hasServed = false;
  let quickDeaths = 0;
  while (!context.ending.aborted) {
    const startedMs = context.now();
    const end = await runChild(command, context, (message) => {
      const parsed = readyMessage.safeParse(message);
      if (!parsed.success) return;
      hasServed = true;
      onReady(parsed.data.lines);
    });
    if (context.ending.aborted) return;
    if (!hasServed) throw failedStart(command, end);
    quickDeaths = context.now() - startedMs < context.restart.quickDeathMs ? quickDeaths + 1 : 1;
    await pauseBeforeRestart(command, end, quickDeaths, context);
  }
}

async function pauseBeforeRestart(
  { name }: Command,
  end: ChildEnd,
  quickDeaths: number,
  { restart, report, ending }: RoleContext,
): Promise<void> {
  if (quickDeaths >= restart.quickDeathsMax) {
    throw new LaunchError(
      `The role "${name}" ended ${quickDeaths} times in quick succession, at last with ${describeEnd(end)}: giving up. ` +
        'Its own lines above say why.',
    );
  }
  const pauseMs = restart.firstPauseMs * 2 ** (quickDeaths - 1);
  report(`The role "${name}" ended with ${describeEnd(end)}; starting it again in ${pauseMs / 1000} s.`);
  await delay(pauseMs, undefined, { signal: ending }).catch(() => undefined); // aborted: the loop sees it
}

/** A child that ends with 1 before it serves has printed its one line (port in use, wrong setting, …). */
function failedStart({ name }: Command, end: ChildEnd): Error {
  if ('exitCode' in end && end.exitCode === 1) return new AlreadyExplained(`${name} did not start`);
  return new LaunchError(`The role "${name}" ended with ${describeEnd(end)} before it was ready.`);
}
