import type { Fault, FaultChange } from '@keepwatch/contract/faults/faults';
import { useEffect, useRef } from 'react';
import { nameOfJob } from '../../entities/job-name.ts';
import type { NoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { useUser } from '../../kit/portal.tsx';
import type { Outcome, Target } from '../edits/fault-edit.ts';
import { useFaultEdits } from '../edits/use-fault-edits.ts';
import type { FaultFilter } from '../faults.data.ts';
import { draftKey } from './draft-key.ts';
import { type Deed, idsOf } from './session.ts';
import type { Guard } from './use-guard.ts';
import type { Morning } from './use-morning.ts';

interface Options {
  filter: FaultFilter;
  morning: Morning;
  drafts: NoteDrafts;
  guard: Guard;
}

export type Deeds = ReturnType<typeof useDeeds>;

/** What a person does with the fault at hand, or with all of its cause, and then goes on. */
export function useDeeds({ filter, morning, drafts, guard }: Options) {
  const { username } = useUser();
  const edits = useFaultEdits(filter);
  const latest = useRef(morning);
  useEffect(() => {
    latest.current = morning;
  });

  const act = async (deed: Deed, faults: readonly Fault[], change: FaultChange) => {
    const [fault] = faults;
    if (fault === undefined || guard.isOn()) return;
    const ids = idsOf(faults);
    const draft = drafts.texts.get(draftKey(fault._id))?.trim() ?? '';
    const note = change.note ?? (draft === '' ? undefined : { content: draft });
    const whole = note === undefined ? change : { ...change, note };
    morning.decide(deed, faults);
    const onUndone = () => latest.current.reopen(ids);
    const outcome = await edits.edit({ target: targetOf(faults), change: whole, onUndone });
    if (outcome.error !== null) return latest.current.takeBack(ids);
    latest.current.answered(faults, settledOf(faults, { change, outcome, username }), outcome.answeredAt);
    if (note !== undefined && outcome.changed > 0) drafts.saved(draftKey(fault._id), note.content);
  };
  return { act, edits, guard };
}

interface Answer {
  change: FaultChange;
  outcome: Outcome;
  username: string;
}

/** Those that others had settled before, or that no longer exist. What the person had given the same state before is theirs. */
function settledOf(faults: readonly Fault[], { change, outcome, username }: Answer): Fault[] {
  const settled = new Set(outcome.settledIds);
  const wasOwn = ({ state, changedBy }: Fault) => state === change.state && changedBy === username;
  return faults.filter((fault) => settled.has(fault._id) && !wasOwn(fault));
}

/** By their ids, also all of a cause: just those that the person was shown. */
function targetOf(faults: readonly Fault[]): Target {
  const [fault] = faults;
  const name = fault === undefined || faults.length > 1 ? null : nameOfJob(fault);
  return { ids: idsOf(faults), causes: [], count: faults.length, name };
}
