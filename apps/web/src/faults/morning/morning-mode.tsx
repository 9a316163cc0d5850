import type { Fault, FaultChange } from '@keepwatch/contract/faults/faults';
import { useEffect, useRef, useState } from 'react';
import { type NoteDrafts, useNoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { useAllows, useUser } from '../../kit/portal.tsx';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { type FaultFilter, useFault } from '../faults.data.ts';
import { nameOfFault } from '../queue-row.ts';
import { sharingCause } from './candidates.ts';
import { FaultView } from './fault-view.tsx';
import { MorningActions } from './morning-actions.tsx';
import { MorningEnd } from './morning-end.tsx';
import styles from './morning-mode.module.css';
import { MorningProgress } from './morning-progress.tsx';
import { SettledNotice } from './settled-notice.tsx';
import { settledText } from './settled.ts';
import type { Deed } from './session.ts';
import { type Deeds, useDeeds } from './use-deeds.ts';
import { type Morning, useMorning } from './use-morning.ts';

interface MorningModeProps {
  filter: FaultFilter;
  /** The fault to begin with, where one was chosen. */
  chosenId: string | null;
  /** All of its cause is meant. */
  isAllChosen: boolean;
  onLeave: () => void;
}

/** The open faults one after the other, each over the whole screen; a key decides and goes on. */
export default function MorningMode({ filter, chosenId, isAllChosen, onLeave }: MorningModeProps) {
  const morning = useMorning(filter, chosenId);
  const ref = useRef<HTMLElement>(null);
  // The keys are for the fault, wherever the focus was before.
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  useShortcut('Escape', 'Leave', onLeave);
  const drafts = useNoteDrafts();
  const deeds = useDeeds({ filter, morning, drafts });
  const { currentId, isRead, error } = morning;
  return (
    <section ref={ref} className={styles.morning} aria-label="Working through the faults" tabIndex={-1} data-owns-keys>
      <MorningProgress morning={morning} onLeave={onLeave} />
      {currentId !== null ? (
        <CurrentFault
          key={currentId}
          id={currentId}
          isAllChosen={isAllChosen && currentId === chosenId}
          morning={morning}
          deeds={deeds}
          drafts={drafts}
        />
      ) : error !== null ? (
        <ErrorState what="the faults" error={error} onRetry={morning.retry} />
      ) : isRead ? (
        <MorningEnd morning={morning} edits={deeds.edits} filter={filter} onLeave={onLeave} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </section>
  );
}

interface CurrentFaultProps {
  id: string;
  isAllChosen: boolean;
  morning: Morning;
  deeds: Deeds;
  drafts: NoteDrafts;
}

function CurrentFault({ id, isAllChosen, morning, deeds, drafts }: CurrentFaultProps) {
  const { data, error, refetch } = useFault(id);
  const canEdit = useAllows('monitoring.job-actions');
  const [isAll, setAll] = useState(isAllChosen);
  const { act, guard, edits } = deeds;
  const { undoLast } = edits;
  const inList = morning.faults.find(({ _id }) => _id === id);
  const fault = data?.data ?? inList;
  const sharing = fault === undefined ? [] : sharingCause(morning.faults, fault, morning.deeds);
  const isDecided = morning.deeds.has(id);
  const settled = useSettled(data?.data ?? null, { isDecided, isChosen: morning.isChosen });
  const isGone = error instanceof CallFailed && error.status === 404;
  const leaveBehind = () => {
    guard.start();
    morning.decide('gone', [id]);
  };
  const notice = isGone ? 'This fault no longer exists: its job was removed, or its runs are counted otherwise now.' : settled;
  const isOver = notice !== null;
  const doIt = (deed: Deed, change: FaultChange, isForAll = isAll) => {
    if (isOver) return leaveBehind();
    if (fault !== undefined) void act(deed, isForAll ? sharing : [fault], change);
  };
  const skip = () => (isOver ? leaveBehind() : morning.decide(morning.deeds.get(id) ?? 'skipped', [id]));
  useShortcut('r', 'Resolve and go on', () => doIt('resolved', { state: 'resolved' }), !canEdit);
  useShortcut('R', 'Resolve all of this cause', () => doIt('resolved', { state: 'resolved' }, true), !canEdit);
  useShortcut('p', 'In progress, by you, and go on', () => doIt('in-progress', { state: 'in-progress' }), !canEdit);
  useShortcut('P', 'All of this cause in progress', () => doIt('in-progress', { state: 'in-progress' }, true), !canEdit);
  useShortcut('a', 'All of this cause, or this one alone', () => setAll(!isAll), !canEdit || sharing.length < 2);
  useShortcut('j', 'Skip', skip);
  useShortcut('ArrowRight', 'Skip', skip);
  useShortcut('k', 'Back', morning.back);
  useShortcut('ArrowLeft', 'Back', morning.back);
  useShortcut('z', 'Undo the last change', undoLast, !canEdit);
  if (fault === undefined && error !== null && !isGone) {
    return <ErrorState what="this fault" error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {fault === undefined ? '' : nameOfFault(fault)}
      </p>
      {notice !== null && (
        <SettledNotice
          text={notice}
          isWriting={fault !== undefined && drafts.texts.has(fault.lastExecutionId)}
          onGoOn={leaveBehind}
        />
      )}
      {fault === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <FaultView
          fault={fault}
          detail={data?.data ?? null}
          viewer={morning.viewer}
          sharing={sharing}
          isAll={isAll}
          onAll={setAll}
          canEdit={canEdit}
          drafts={drafts}
          onNote={(content) => doIt('noted', { note: { content } })}
        />
      )}
      <MorningActions
        canEdit={canEdit}
        count={isAll ? sharing.length : 1}
        isOver={isOver}
        onResolve={() => doIt('resolved', { state: 'resolved' })}
        onTake={() => doIt('in-progress', { state: 'in-progress' })}
        onIgnore={(until) =>
          doIt('ignored', { state: 'ignored', ...(until === null ? {} : { ignoredUntil: until }) })
        }
        onSkip={skip}
        onBack={morning.back}
        onUndo={undoLast}
      />
    </>
  );
}

/**
 * What others made of the fault while it is shown; `null` where it is still to be decided. One that was asked for is shown as it is, also where
 * it was settled before.
 */
function useSettled(fault: Fault | null, { isDecided, isChosen }: { isDecided: boolean; isChosen: boolean }): string | null {
  const { username } = useUser();
  const [wasOpen, setWasOpen] = useState(false);
  const text = fault === null ? null : settledText(fault, username);
  if (fault !== null && text === null && !wasOpen) setWasOpen(true);
  if (text === null || isDecided) return null;
  return isChosen && !wasOpen ? null : text;
}
