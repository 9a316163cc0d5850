import type { Fault, getFault } from '@keepwatch/contract/faults/faults';
import type { CallReply } from '@keepwatch/contract/wire/call';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import { useRef } from 'react';
import { withoutReasonText } from '../../entities/faults/fault-texts.ts';
import { KindBadge } from '../../entities/faults/kind-badge.tsx';
import { LastResults } from '../../entities/faults/last-results.tsx';
import type { NoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { SOURCE_GROUP_WORDS } from '../../entities/source-groups.ts';
import { StateBadge } from '../../entities/state-badge.tsx';
import { formatJobType } from '../../kit/format/job-types.ts';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { hasRestorePoint, withoutFineHint } from '../fault-texts.ts';
import { FaultCause } from './fault-cause.tsx';
import { FaultNotes } from './fault-notes.tsx';
import { FaultRuns } from './fault-runs.tsx';
import styles from './fault-view.module.css';

export type FaultDetail = CallReply<typeof getFault>['data'];

interface FaultViewProps {
  /** As the list has it until the whole is read. */
  fault: Fault;
  detail: FaultDetail | null;
  /** Another person who has it open. */
  viewer: string | null;
  /** It, and the others of its cause that are to be decided. */
  sharing: readonly Fault[];
  /** The others of it that other people work on; `null`: none. */
  withOthers: string | null;
  isAll: boolean;
  onAll: (isAll: boolean) => void;
  canEdit: boolean;
  drafts: NoteDrafts;
  onNote: (content: string) => void;
}

/** One fault over the whole screen: why, since when, with whom it shares its cause, and what was noted. */
export function FaultView(props: FaultViewProps) {
  const { fault, detail, viewer, sharing, withOthers, isAll, onAll, canEdit, drafts, onNote } = props;
  const ref = useRef<HTMLDivElement>(null);
  useShortcut('n', 'Write a note', () => ref.current?.querySelector('textarea')?.focus(), !canEdit);
  return (
    <div ref={ref} className={styles.view} aria-busy={detail === null}>
      <div className={styles.main}>
        <Head fault={fault} viewer={viewer} />
        <Reason fault={fault} />
        <FaultCause
          fault={fault}
          sharing={sharing}
          withOthers={withOthers}
          isAll={isAll}
          onAll={onAll}
          canEdit={canEdit}
        />
        <FaultNotes
          fault={fault}
          notes={detail?.notes ?? []}
          solved={detail?.solved ?? null}
          canEdit={canEdit}
          drafts={drafts}
          onNote={onNote}
        />
      </div>
      <div className={styles.side}>
        <FaultRuns fault={fault} runs={detail?.lastRuns ?? null} />
      </div>
    </div>
  );
}

function Head({ fault, viewer }: { fault: Fault; viewer: string | null }) {
  const { companyName, sourceGroup, serverName, jobType, state, daysWithoutFine, changedBy } = fault;
  const facts = [
    companyName ?? 'No company',
    SOURCE_GROUP_WORDS[sourceGroup],
    serverName,
    jobType === null ? null : formatJobType(jobType),
  ];
  const isLong = daysWithoutFine === null || daysWithoutFine >= 3;
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>{fault.jobName}</h2>
      <p className={styles.facts}>{facts.filter((fact) => fact !== null).join(' · ')}</p>
      <p className={styles.line}>
        <KindBadge kind={fault.kind} isHealed={state === 'healed'} />
        <LastResults results={fault.lastResults} />
        {state !== 'healed' && (
          <span className={styles.days} data-long={isLong || undefined}>
            {withoutFineHint(daysWithoutFine, hasRestorePoint(fault))}
          </span>
        )}
        {state !== 'pending' && state !== 'healed' && (
          <span className={styles.state}>
            <StateBadge state={state} />
            {changedBy !== null && `by ${changedBy}`}
          </span>
        )}
      </p>
      {viewer !== null && (
        <p className={styles.viewer} role="status">
          <IconEye size={15} aria-hidden />
          {`${viewer} has this open`}
        </p>
      )}
    </header>
  );
}

/** All of it: what is unusual in words, and what the source says, in whichever script. */
function Reason({ fault: { kind, anomalyTexts, message } }: { fault: Fault }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message is scrolled with the keyboard
    <section className={styles.reason} data-kind={kind} aria-label="Reason" tabIndex={0}>
      {anomalyTexts.map((text) => (
        <p key={text} className={styles.anomaly}>
          {text}
        </p>
      ))}
      {message !== null && <p dir="auto">{message}</p>}
      {message === null && anomalyTexts.length === 0 && <p>{withoutReasonText(kind)}</p>}
    </section>
  );
}
