import type { ConnectorContext } from '../base/connector-context.ts';

export interface TestContext extends ConnectorContext {
  /** What was waited for, in milliseconds, in order. */
  waits: number[];
  /** Every line logged, as one text, to look for what must not be in it. */
  logged(): string;
}

/** A context whose clock moves only by the waits, which return at once. */
export function testContext(overrides: Partial<ConnectorContext> = {}, startAt = '2026-03-10T12:00:00Z'): TestContext {
  let nowMs = Date.parse(startAt);
  const waits: number[] = [];
  const lines: string[] = [];
  return {
    now: () => new Date(nowMs),
    allowPrivateAddresses: true,
    log: (level, message, details) => lines.push(JSON.stringify({ level, message, details })),
    wait: async (durationMs, signal) => {
      signal.throwIfAborted();
      waits.push(durationMs);
      nowMs += durationMs;
    },
    waits,
    logged: () => lines.join('\n'),
    ...overrides,
  };
}

/** A signal that is never aborted. */
export function quiet(): AbortSignal {
  return new AbortController().signal;
}
