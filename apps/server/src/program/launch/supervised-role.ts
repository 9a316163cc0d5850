import { z } from 'zod';
import { type ChildContext, type ChildEnd, type Command, describeEnd, runChild } from './child-run.ts';
import { AlreadyExplained, LaunchError } from './launch-error.ts';
import { type RestartContext, restartPauses } from './restart-pauses.ts';

export type RoleContext = ChildContext & RestartContext;

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
  const ended = restartOnExit(command, context, resolve);
  ended.then(() => reject(new AlreadyExplained('ended before it was ready')), reject);
  ready.catch(() => undefined); // `ended` rejects with the same error; a launcher that is past `ready` reads only that.
  return { ready, ended };
}

async function restartOnExit(
  command: Command,
  context: RoleContext,
  onReady: (lines: string[]) => void,
): Promise<void> {
  const pauseAfterEnd = restartPauses(`The role "${command.name}"`, context);
  let hasServed = false;
  while (!context.ending.aborted) {
    const end = await runChild(command, context, (message) => {
      const parsed = readyMessage.safeParse(message);
      if (!parsed.success) return;
      hasServed = true;
      onReady(parsed.data.lines);
    });
    if (context.ending.aborted) return;
    if (!hasServed) throw failedStart(command, end);
    await pauseAfterEnd(`ended with ${describeEnd(end)}`);
  }
}

/** A child that ends with 1 before it serves has printed its one line (port in use, wrong setting, …). */
function failedStart({ name }: Command, end: ChildEnd): Error {
  if ('exitCode' in end && end.exitCode === 1) return new AlreadyExplained(`${name} did not start`);
  return new LaunchError(`The role "${name}" ended with ${describeEnd(end)} before it was ready.`);
}
