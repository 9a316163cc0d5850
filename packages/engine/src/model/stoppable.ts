import { onAbort } from './on-abort.ts';

/**
 * Waits for work, at most until the signal is aborted. The work itself goes on then and its result is dropped, so this is for what only reads,
 * or is shared with others.
 * @throws the reason of the signal
 */
export async function orStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  const giveUp = onAbort(signal, stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    giveUp();
  }
}

/** How long a cleanup may go on after the signal: all work ends within a second of it. */
export const GRACE_MS = 500;

/**
 * Cleans up behind work that failed or was stopped. The cleanup gets a signal of its own, which is aborted a moment after that of the work: a
 * system that answers is left clean, and one that does not is waited for no longer.
 */
export async function cleanedUp<T>(
  signal: AbortSignal,
  cleanUp: (signal: AbortSignal) => Promise<T>,
  graceMs = GRACE_MS,
): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const count = () => {
    timer ??= setTimeout(() => late.abort(signal.reason), graceMs);
  };
  const giveUp = onAbort(signal, count);
  if (signal.aborted) count();
  try {
    return await cleanUp(late.signal);
  } finally {
    clearTimeout(timer);
    giveUp();
  }
}

/** The same values, until the signal is aborted: what the list is waiting for then is left to end. */
export async function* listedUntil<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await orStopped(iterator.next(), signal);
      if (done === true) return;
      yield value;
    }
  } finally {
    const left = iterator.return?.();
    if (signal.aborted) left?.catch(() => undefined);
    else await left;
  }
}

/**
 * The same thing for work that may be stopped: methods that read end with the signal, at once; those that write are waited for, since only their end
 * says what is stored.
 * @param writes names of methods that write, or take something that must be given back
 */
export function stoppable<Thing extends object>(
  thing: Thing,
  signal: AbortSignal | undefined,
  writes: ReadonlySet<string>,
): Thing {
  if (signal === undefined) return thing;
  return new Proxy(thing, {
    get(_, name) {
      const member: unknown = Reflect.get(thing, name, thing);
      if (typeof member !== 'function') return member;
      if (writes.has(String(name))) return member.bind(thing);
      return (...given: unknown[]) => until(member.apply(thing, given), signal);
    },
  });
}

function until(result: unknown, signal: AbortSignal): unknown {
  if (result instanceof Promise) return orStopped(result, signal);
  return isStream(result) ? listedUntil(result, signal) : result;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
