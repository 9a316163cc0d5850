import { expect, test } from 'vitest';
import {
  beginSession,
  countsOf,
  currentOf,
  decide,
  deedsOf,
  estimateText,
  goBack,
  goTo,
  laterOf,
  paceMs,
  type Session,
  withoutDeeds,
  withoutSkipped,
} from './session.ts';

const SECOND = 1_000;

/** A session in which a decision was made after each of these seconds. */
function after(...seconds: number[]): Session {
  let nowMs = 0;
  return seconds.reduce(
    (session, took, place) => {
      nowMs += took * SECOND;
      return goTo(decide(session, 'resolved', [`f${place}`], nowMs), `f${place + 1}`, nowMs);
    },
    beginSession(0, 'f0'),
  );
}

test('estimates nothing before three decisions', () => {
  expect(paceMs(after(5, 5))).toBeNull();
  expect(estimateText(after(5, 5), 60)).toBeNull();
});

test('estimates by the median: a telephone call in between says nothing', () => {
  expect(paceMs(after(8, 10, 900, 9, 11))).toBe(10 * SECOND);
  expect(estimateText(after(8, 10, 900, 9, 11), 54)).toBe('about 9 min');
  expect(estimateText(after(2, 2, 2), 3)).toBe('less than a minute');
  expect(estimateText(after(2, 2, 2), 0)).toBeNull();
});

test('what others settled is no pace of the person', () => {
  const session = ['a', 'b', 'c'].reduce((before, id) => decide(before, 'gone', [id], 1), beginSession(0, 'a'));
  expect(paceMs(session)).toBeNull();
});

test('counts each fault once, by what was decided last', () => {
  let session = decide(beginSession(0, 'a'), 'skipped', ['a'], 1);
  session = decide(session, 'resolved', ['a', 'b', 'c'], 2);
  session = decide(session, 'noted', ['d'], 3);
  expect(countsOf(session)).toEqual({ resolved: 3, ignored: 0, 'in-progress': 0, noted: 1, skipped: 0, gone: 0 });
  expect([...deedsOf(withoutDeeds(session, ['b'])).keys()]).toEqual(['a', 'c', 'd']);
});

test('goes back to the fault before and forward again, from the end to the last one', () => {
  let session = goTo(beginSession(0, 'a'), 'b', 1);
  session = goBack(session, 2);
  expect([currentOf(session), laterOf(session)]).toEqual(['a', 'b']);
  expect(currentOf(goBack(session, 3))).toBe('a');
  expect(currentOf(goBack(goTo(session, null, 4), 5))).toBe('b');
});

test('what was skipped comes again when the person asks for it', () => {
  const session = decide(decide(beginSession(0, 'a'), 'skipped', ['a'], 1), 'resolved', ['b'], 2);
  expect([...deedsOf(withoutSkipped(session)).keys()]).toEqual(['b']);
});
