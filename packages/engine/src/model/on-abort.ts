/** Who waits for a signal. Removing is by identity of the entry, so that one function may wait twice. */
type Waiting = Set<{ callback: () => void }>;

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back once when the signal is aborted; returns what gives that up. A signal looks through all of its listeners for each that is added or
 * removed: a thousand calls that wait for the signal of one run are one listener here.
 * @param callback must not throw
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const waiting = waitingFor.get(signal) ?? listening(signal);
  const entry = { callback };
  waiting.add(entry);
  return () => void waiting.delete(entry);
}

function listening(signal: AbortSignal): Waiting {
  const waiting: Waiting = new Set();
  const callAll = () => {
    // Each is called once, also where one of them waits for the signal again.
    for (const entry of [...waiting]) if (waiting.delete(entry)) entry.callback();
  };
  signal.addEventListener('abort', callAll, { once: true });
  waitingFor.set(signal, waiting);
  return waiting;
}
