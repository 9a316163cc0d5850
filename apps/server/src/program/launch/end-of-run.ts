import type { EventEmitter } from 'node:events';

/** The end of the program, wherever it comes from: a signal, or a failure that cannot be made good. */
export type EndOfRun = {
  /** Aborted when everything is to end in good order. */
  ending: AbortSignal;
  /** Aborted when everything is to end now. */
  killing: AbortSignal;
  /** Resolves, when `ending` is aborted, with the exit code: 0 when it was asked for, 1 after a failure. */
  exitCode: Promise<number>;
  /** Begins the end because of a failure; `report` has been given its reason already. */
  fail(): void;
  /** Stops listening for signals. */
  forget(): void;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A terminal sends Ctrl-C to every process in the foreground and npm passes it on once more: the same wish, seen
 * several times. A person's second, impatient Ctrl-C comes later than this.
 */
const SAME_WISH_MS = 300;

/**
 * Listens for signals: the first asks for the end in good order, a second one for the end at once. The end of the process
 * that started us asks for the first only: the channel to it is closed, which the process emits as 'disconnect'.
 */
export function watchForEnd(signals: EventEmitter, now: () => number): EndOfRun {
  const ending = new AbortController();
  const killing = new AbortController();
  const { promise: exitCode, resolve } = Promise.withResolvers<number>();
  let firstMs: number | undefined;
  const onSignal = () => {
    firstMs ??= now();
    if (now() - firstMs > SAME_WISH_MS) killing.abort();
    end();
  };
  const end = () => {
    resolve(0);
    ending.abort();
  };
  const fail = () => {
    resolve(1);
    ending.abort();
  };
  for (const signal of SIGNALS) signals.on(signal, onSignal);
  signals.on('disconnect', end);
  const forget = () => {
    for (const signal of SIGNALS) signals.off(signal, onSignal);
    signals.off('disconnect', end);
  };
  return { ending: ending.signal, killing: killing.signal, exitCode, fail, forget };
}
