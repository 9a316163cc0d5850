import type { Fault, FaultChange } from '@keepwatch/contract/faults/faults';
import { useEffect, useRef } from 'react';
import { nameOfJob } from '../../entities/job-name.ts';
import type { NoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import type { Target } from '../edits/fault-edit.ts';
import { useFaultEdits } from '../edits/use-fault-edits.ts';
import type { FaultFilter } from '../faults.data.ts';
import type { Deed } from './session.ts';
import type { Morning } from './use-morning.ts';

/** A key that was meant for the fault before must not decide the one that has just come without one. */
const GUARD_MS = 700;

interface Options {
  filter: FaultFilter;
  morning: Morning;
  drafts: NoteDrafts;
}

export type Deeds = ReturnType<typeof useDeeds>;

/** What a person does with the fault at hand, or with all of its cause, and then goes on. */
export function useDeeds({ filter, morning, drafts }: Options) {
  const edits = useFaultEdits(filter);
  const latest = useRef(morning);
  useEffect(() => {
    latest.current = morning;
  });
  const guard = useGuard();

  const act = async (deed: Deed, faults: readonly Fault[], change: FaultChange) => {
    const [fault] = faults;
    if (fault === undefined || guard.isOn()) return;
    const ids = faults.map(({ _id }) => _id);
    const draft = drafts.texts.get(fault.lastExecutionId)?.trim() ?? '';
    const note = change.note ?? (draft === '' ? undefined : { content: draft });
    const whole = note === undefined ? change : { ...change, note };
    morning.decide(deed, ids);
    const onUndone = () => latest.current.reopen(ids);
    const { error, changed } = await edits.edit({ target: targetOf(faults), change: whole, onUndone });
    if (error !== null) latest.current.takeBack(ids);
    else if (note !== undefined && changed > 0) drafts.saved(fault.lastExecutionId, note.content);
  };
  return { act, edits, guard };
}

/** By their ids, also all of a cause: just those that the person was shown. */
function targetOf(faults: readonly Fault[]): Target {
  const [fault] = faults;
  const name = fault === undefined || faults.length > 1 ? null : nameOfJob(fault);
  return { ids: faults.map(({ _id }) => _id), causes: [], count: faults.length, name };
}

function useGuard() {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return {
    isOn: () => timer.current !== null,
    start: () => {
      clearTimeout(timer.current ?? undefined);
      timer.current = setTimeout(() => {
        timer.current = null;
      }, GUARD_MS);
    },
  };
}
