import type { NoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { draftKey } from './draft-key.ts';
import { FaultView } from './fault-view.tsx';
import { MorningActions } from './morning-actions.tsx';
import { SettledNotice } from './settled-notice.tsx';
import type { Deeds } from './use-deeds.ts';
import { useFaultAtHand } from './use-fault-at-hand.ts';
import type { Morning } from './use-morning.ts';

interface CurrentFaultProps {
  id: string;
  isAllChosen: boolean;
  morning: Morning;
  deeds: Deeds;
  drafts: NoteDrafts;
}

/** The fault at hand with what can be done with it. */
export function CurrentFault({ id, isAllChosen, morning, deeds, drafts }: CurrentFaultProps) {
  const atHand = useFaultAtHand({ id, isAllChosen, morning, deeds });
  const { fault, detail, failure, notice, sharing, withOthers, isAll, setAll, canEdit, actions } = atHand;
  if (failure !== null) return <ErrorState what="this fault" error={failure} onRetry={atHand.retry} />;
  return (
    <>
      {notice !== null && (
        <SettledNotice text={notice} isWriting={drafts.texts.has(draftKey(id))} onGoOn={atHand.leaveBehind} />
      )}
      {fault === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <FaultView
          fault={fault}
          detail={detail}
          viewer={morning.viewer}
          sharing={sharing}
          withOthers={withOthers}
          isAll={isAll}
          onAll={setAll}
          canEdit={canEdit}
          drafts={drafts}
          onNote={actions.note}
        />
      )}
      <MorningActions canEdit={canEdit} count={isAll ? sharing.length : 1} isOver={notice !== null} actions={actions} />
    </>
  );
}
