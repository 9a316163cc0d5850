import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchForEnd } from './end-of-run.ts';

function watched() {
  const signals = new EventEmitter();
  const clock = { nowMs: 5000 };
  return { signals, clock, end: watchForEnd(signals, () => clock.nowMs) };
}

test('the first signal asks for the end in good order, which is no failure', async () => {
  const { signals, end } = watched();
  signals.emit('SIGTERM', 'SIGTERM');
  expect(end.ending.aborted).toBe(true);
  expect(end.killing.aborted).toBe(false);
  expect(await end.exitCode).toBe(0);
});

test('the same wish within moments is one wish, a later one is impatience', () => {
  const { signals, clock, end } = watched();
  signals.emit('SIGINT', 'SIGINT');
  clock.nowMs += 300;
  signals.emit('SIGINT', 'SIGINT');
  expect(end.killing.aborted).toBe(false);
  clock.nowMs += 1;
  signals.emit('SIGINT', 'SIGINT');
  expect(end.killing.aborted).toBe(true);
});

test('the end of the process that started us asks for the end in good order, and is never impatience', async () => {
  const { signals, clock, end } = watched();
  signals.emit('SIGTERM', 'SIGTERM');
  clock.nowMs += 1000;
  signals.emit('disconnect');
  expect(end.ending.aborted).toBe(true);
  expect(end.killing.aborted).toBe(false);
  expect(await end.exitCode).toBe(0);
  const other = watched();
  other.signals.emit('disconnect');
  expect(other.end.ending.aborted).toBe(true);
});

test('a failure ends with 1, also when a signal follows', async () => {
  const { signals, end } = watched();
  end.fail();
  signals.emit('SIGTERM', 'SIGTERM');
  expect(end.ending.aborted).toBe(true);
  expect(await end.exitCode).toBe(1);
});

test('listens no longer when it is over', () => {
  const { signals, end } = watched();
  end.forget();
  expect(signals.eventNames()).toEqual([]);
});
