import { expect, test } from 'vitest';
import { AsyncActions } from './async-actions.ts';
import { VendorError } from './errors.ts';

const id = '0f8b7a52-3c1d-4a77-9b1e-2f6f3c9d1e55';

function started(polls: number, willFail = false, work = () => '{"data":[]}'): AsyncActions {
  const actions = new AsyncActions();
  const action = { id, initiatorUid: 'initiator', actionName: '/about', queryParameters: {}, requestBody: null };
  actions.start(action, polls, willFail, work);
  return actions;
}

function refusal(ask: () => unknown): VendorError {
  try {
    ask();
  } catch (error) {
    if (error instanceof VendorError) return error;
  }
  throw new Error('It was not refused');
}

test.each([0, 1, 5])('an action runs for the given number of polls: %i', (polls) => {
  const actions = started(polls);
  const statuses = Array.from({ length: polls + 2 }, () => actions.status(id).status);
  expect(statuses).toEqual([...Array.from({ length: polls }, () => 'running'), 'succeed', 'succeed']);
});

test('its result is not available before a poll has reported that it is done', () => {
  const actions = started(0);
  expect(refusal(() => actions.result(id)).status).toBe(404);
  actions.status(id);
  expect(actions.result(id)).toBe('{"data":[]}');
});

test('its result is made when it is asked for, and can be asked for again', () => {
  let asked = 0;
  const actions = started(0, false, () => {
    asked += 1;
    return String(asked);
  });
  actions.status(id);
  expect(asked).toBe(0);
  expect([actions.result(id), actions.result(id)]).toEqual(['1', '2']);
});

test('one that fails says so in its status, and its result is the refusal', () => {
  const actions = started(1, true);
  expect([actions.status(id).status, actions.status(id).status]).toEqual(['running', 'failed']);
  expect(refusal(() => actions.result(id))).toMatchObject({ status: 520, type: 'unspecified' });
});

test('it is found by its id in upper case too, as some clients write it', () => {
  expect(started(0).status(id.toUpperCase()).status).toBe('succeed');
});

test('one that was never started is not found, and is named', () => {
  const error = refusal(() => new AsyncActions().status(id));
  expect(error.status).toBe(404);
  expect(error.message).toContain(id);
  expect(refusal(() => new AsyncActions().result(id)).status).toBe(404);
});

test('starting one with the same id begins again', () => {
  const actions = started(0);
  actions.status(id);
  const action = { id, initiatorUid: 'initiator', actionName: '/again', queryParameters: {}, requestBody: null };
  actions.start(action, 1, false, () => 'new');
  expect(actions.status(id)).toMatchObject({ status: 'running', actionName: '/again' });
});
