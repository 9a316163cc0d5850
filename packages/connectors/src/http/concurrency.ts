import type { Send } from './message.ts';

/** Lets at most `requestsMax` requests be under way; further ones wait their turn, and leave the line when aborted. */
export function withConcurrencyCap(send: Send, requestsMax: number): Send {
  let running = 0;
  const line: (() => void)[] = [];

  function takeTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < requestsMax) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      line.push(enter);
    });
  }

  /** Hands the place to the next in line, so that no later caller slips in between. */
  function endTurn(): void {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  }

  return async (request, signal) => {
    await takeTurn(signal);
    try {
      return await send(request, signal);
    } finally {
      endTurn();
    }
  };
}
