import { describe, expect, test } from 'vitest';
import { buildFault } from '../testing/faults.ts';
import {
  activeDeeds,
  answered,
  beginSession,
  countsOf,
  currentOf,
  type Deed,
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

function made(session: Session, deed: Deed, ids: readonly string[], nowMs: number): Session {
  return decide(session, { deed, faults: ids.map((_id) => ({ _id })) }, nowMs);
}

/** A session in which a decision was made after each of these seconds. */
function after(...seconds: number[]): Session {
  let nowMs = 0;
  return seconds.reduce(
    (session, took, place) => {
      nowMs += took * SECOND;
      return goTo(made(session, 'resolved', [`f${place}`], nowMs), `f${place + 1}`, nowMs);
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
  const session = ['a', 'b', 'c'].reduce((before, id) => made(before, 'gone', [id], 1), beginSession(0, 'a'));
  expect(paceMs(session)).toBeNull();
});

test('counts each fault once, by what was decided last', () => {
  let session = made(beginSession(0, 'a'), 'skipped', ['a'], 1);
  session = made(session, 'resolved', ['a', 'b', 'c'], 2);
  session = made(session, 'noted', ['d'], 3);
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
  const session = made(made(beginSession(0, 'a'), 'skipped', ['a'], 1), 'resolved', ['b'], 2);
  expect([...deedsOf(withoutSkipped(session)).keys()]).toEqual(['b']);
});

describe('a decision for a fault that is still listed as open', () => {
  const fault = buildFault(1);
  const again = buildFault(1, { lastExecutionId: 'another' });
  const worked = buildFault(1, { state: 'in-progress', lastExecutionId: 'another' });
  const applies = (deed: Deed, listed: typeof fault, askedAt: number, answeredAt = 5) => {
    const decided = decide(beginSession(0, fault._id), { deed, faults: [fault] }, 1);
    const session = answered(decided, [fault], answeredAt);
    return activeDeeds(session, { askedAt, faults: [listed] }).has(fault._id);
  };

  test.each(['resolved', 'ignored', 'gone', 'in-progress'] as const)(
    'applies (%s) until the list was asked for after it was made',
    (deed) => {
      expect(applies(deed, again, 4)).toBe(true);
      expect(applies(deed, again, 6)).toBe(false);
      expect(applies(deed, fault, 6)).toBe(false);
    },
  );

  test('applies while it has not been made, and where the fault is not listed', () => {
    const session = decide(beginSession(0, fault._id), { deed: 'resolved', faults: [fault] }, 1);
    expect(activeDeeds(session, { askedAt: 9, faults: [fault] }).size).toBe(1);
    expect(activeDeeds(answered(session, [fault], 5), { askedAt: 9, faults: [] }).size).toBe(1);
  });

  test('applies for a note until the job has run again, for work in progress also then, and for a skip always', () => {
    expect([applies('noted', fault, 6), applies('noted', again, 6), applies('noted', worked, 6)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(applies('in-progress', worked, 6)).toBe(true);
    expect(applies('skipped', again, 6)).toBe(true);
  });
});
