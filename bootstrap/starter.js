const POLL_MS = 200;

/**
 * Calls `onGone` once when npm, which started us, has ended without a word to us: it was killed, or its terminal was
 * closed. A process whose parent has ended gets another one, also while the ended parent waits to be reaped: this is how
 * it shows. Started otherwise there is no process to watch: a program that was put into the background outlives its shell.
 * @param {() => void} onGone
 * @param {NodeJS.ProcessEnv} [environment] for tests
 * @returns {() => void} stops watching
 */
export function watchNpm(onGone, environment = process.env) {
  if (!environment.npm_lifecycle_script?.includes('bootstrap/run.js')) return () => undefined;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
