import { constants } from 'node:os';
import { watchNpm } from './starter.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs `work`, which a signal or the end of npm ends at once, with the exit code that shells have for it. Without it
 * the first process of a container would not hear signals at all while it installs and builds.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function stoppable(work) {
  const stop = (signal) => process.exit(128 + constants.signals[signal]);
  const forget = watchNpm(() => stop('SIGTERM'));
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } finally {
    forget();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
