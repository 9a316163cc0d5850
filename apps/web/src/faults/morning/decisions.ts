import type { Dispatch, SetStateAction } from 'react';
import { nextMoment } from '../moments.ts';
import {
  answered,
  type Decided,
  type Deed,
  decide,
  goBack,
  goTo,
  type Session,
  withoutDeeds,
  withoutSkipped,
} from './session.ts';

interface Options {
  setSession: Dispatch<SetStateAction<Session>>;
  /** Goes on to the next fault. */
  next: (after: Session) => Session;
  nowMs: () => number;
}

/** What a person, and the server after it, makes of the faults of a morning. */
export function decisionsOf({ setSession, next, nowMs }: Options) {
  return {
    decide: (deed: Deed, decided: readonly Decided[]) =>
      setSession((before) => next(decide(before, { deed, faults: decided }, nowMs()))),
    /** A decision that the server has made, but for those that others had settled before. */
    answered: (decided: readonly Decided[], settled: readonly Decided[], answeredAt: number) =>
      setSession((before) => {
        const after = answered(before, decided, answeredAt);
        return settled.length === 0 ? after : decide(after, { deed: 'gone', faults: settled, answeredAt }, nowMs());
      }),
    /** Goes on from one that others settled. */
    leave: (decided: Decided) => {
      const answeredAt = nextMoment();
      setSession((before) => next(decide(before, { deed: 'gone', faults: [decided], answeredAt }, nowMs())));
    },
    /** Goes on from one that was decided before. */
    goOn: () => setSession((before) => next(before)),
    /** A decision that did not come about: its faults come again. */
    takeBack: (ids: readonly string[]) => setSession((before) => withoutDeeds(before, ids)),
    /** A decision that was undone: its first fault is shown again. */
    reopen: (ids: readonly string[]) =>
      setSession((before) => goTo(withoutDeeds(before, ids), ids[0] ?? null, nowMs())),
    back: () => setSession((before) => goBack(before, nowMs())),
    again: () => setSession(withoutSkipped),
  };
}
