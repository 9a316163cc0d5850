import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventSource } from '../../testing/event-source.ts';
import { createLiveEvents } from './live-events.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function connect(answer: (attempt: number, signal: AbortSignal | null) => Response) {
  const asked: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    asked.push(new Headers(init?.headers).get('authorization'));
    return answer(asked.length, init?.signal ?? null);
  };
  const live = createLiveEvents({ fetch, origin: '', token: () => 'the-token' });
  return { live, asked };
}

test('notifies only the listeners of the event that came', async () => {
  const source = createEventSource();
  const { live, asked } = connect((_, signal) => source.connect(signal));
  const heard = vi.fn();
  const other = vi.fn();
  live.on('sync.changed', heard);
  live.on('executions.changed', other);
  // @ts-expect-error: a name that the server never sends does not compile
  live.on('sync.change', other);
  const close = live.open();
  await vi.advanceTimersByTimeAsync(0);
  source.emit('sync.changed');
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(other).not.toHaveBeenCalled();
  expect(asked).toEqual(['Bearer the-token']);
  close();
});

test('connects again after a fault, waiting longer each time, and then notifies all listeners', async () => {
  const source = createEventSource();
  const { live, asked } = connect((attempt, signal) =>
    attempt < 3 ? new Response(null, { status: 502 }) : source.connect(signal),
  );
  const heard = vi.fn();
  live.on('sync.changed', heard);
  const close = live.open();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toHaveLength(3);
  expect(heard).toHaveBeenCalledTimes(1);
  close();
});

test('does not ask again when it is refused', async () => {
  const { live, asked } = connect(() => new Response(null, { status: 401 }));
  live.open();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toHaveLength(1);
});

test('stops when the page closes it', async () => {
  const { live, asked } = connect(() => new Response(null, { status: 503 }));
  const close = live.open();
  await vi.advanceTimersByTimeAsync(0);
  close();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toHaveLength(1);
});
