import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { flagField, textField, useUrlState } from '../kit/address/url-state.ts';
import type { QueueRow } from './queue-row.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Right before it in the history is the queue. */
    isMorningOverQueue?: boolean;
  }
}

/** `start` begins with the first fault, an id with that one; `all`: what is done to that one is for all of its cause. */
const FIELDS = { morning: textField(), all: flagField() };
const START = 'start';

/** The morning mode as the address says it. Leaving it leaves nothing to go back through. */
export function useMorningAddress() {
  const [{ morning, all }, setAddress] = useUrlState(FIELDS);
  const { history } = useRouter();
  const isOn = morning !== '';
  const isGoing = useRef(false);
  useEffect(() => {
    if (!isOn) isGoing.current = false;
  }, [isOn]);
  return {
    isOn,
    chosenId: isOn && morning !== START ? morning : null,
    isAllChosen: all,
    /** From a line of the queue on; `null`: from the first fault. */
    begin: (row: QueueRow | null) =>
      setAddress(
        { morning: row === null ? START : row.fault._id, all: row !== null && row.group !== null },
        { push: true, state: { isMorningOverQueue: true } },
      ),
    leave: () => {
      if (history.location.state.isMorningOverQueue !== true) return setAddress({ morning: '', all: false });
      // A second press must not leave the queue.
      if (!isGoing.current) history.back();
      isGoing.current = true;
    },
  };
}
