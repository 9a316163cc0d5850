import { expect, test } from 'vitest';
import { onAbort } from './on-abort.ts';

test('all that wait for a signal are called once, in their order, and none that gave it up', () => {
  const { signal, ...controller } = withAbort();
  const called: string[] = [];
  onAbort(signal, () => called.push('first'));
  const giveUp = onAbort(signal, () => called.push('gave up'));
  onAbort(signal, () => called.push('second'));
  giveUp();
  controller.abort();
  controller.abort();
  expect(called).toEqual(['first', 'second']);
});

test('one that is given up by another as the signal is aborted is not called', () => {
  const { signal, ...controller } = withAbort();
  const called: string[] = [];
  let giveUp: () => void = () => called.push('too early');
  onAbort(signal, () => giveUp());
  giveUp = onAbort(signal, () => called.push('second'));
  controller.abort();
  expect(called).toEqual([]);
});

test('the same function may wait twice, and give up once', () => {
  const { signal, ...controller } = withAbort();
  let called = 0;
  const count = () => {
    called += 1;
  };
  onAbort(signal, count);
  onAbort(signal, count)();
  controller.abort();
  expect(called).toBe(1);
});

function withAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
