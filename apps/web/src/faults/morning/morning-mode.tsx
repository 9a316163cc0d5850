import { useEffect, useRef } from 'react';
import { useNoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { QueueQuery } from '../faults.data.ts';
import { CurrentFault } from './current-fault.tsx';
import { FaultAnnouncement } from './fault-announcement.tsx';
import { MorningEnd } from './morning-end.tsx';
import styles from './morning-mode.module.css';
import { MorningProgress } from './morning-progress.tsx';
import { useDeeds } from './use-deeds.ts';
import { useGuard } from './use-guard.ts';
import { useMorning } from './use-morning.ts';

interface MorningModeProps {
  /** What is worked through, in the order of its list. */
  query: QueueQuery;
  /** The fault to begin with, where one was chosen. */
  chosenId: string | null;
  /** All of its cause is meant. */
  isAllChosen: boolean;
  onLeave: () => void;
}

/** The open faults one after the other, each over the whole screen; a key decides and goes on. */
export default function MorningMode({ query, chosenId, isAllChosen, onLeave }: MorningModeProps) {
  const { filter } = query;
  const guard = useGuard();
  const morning = useMorning(query, chosenId, guard);
  const ref = useRef<HTMLElement>(null);
  useShortcut('Escape', 'Leave', onLeave);
  const drafts = useNoteDrafts();
  const deeds = useDeeds({ filter, morning, drafts, guard });
  const { currentId, isRead, error } = morning;
  // The keys are for the fault, wherever the focus was before: what had it is gone with the fault before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each fault again
  useEffect(() => ref.current?.focus({ preventScroll: true }), [currentId]);
  return (
    <section ref={ref} className={styles.morning} aria-label="Working through the faults" tabIndex={-1} data-owns-keys>
      <FaultAnnouncement morning={morning} />
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
