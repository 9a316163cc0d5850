import type { JobExecution, JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import { type ReactNode, useEffect, useRef } from 'react';
import { SolvedBefore } from '../../entities/faults/solved-before.tsx';
import { type NoteDrafts, withNote } from '../../entities/notes/note-drafts.data.ts';
import type { Edit } from '../../entities/run-edits/undo.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { LinkedText } from '../../kit/linked-text.tsx';
import { useClock } from '../../kit/portal.tsx';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { useExecution } from '../daily-checks.data.ts';
import { AssignJob } from './assign-job.tsx';
import { DrawerHead } from './drawer-head.tsx';
import styles from './execution-drawer.module.css';
import { ExecutionFacts } from './execution-facts.tsx';
import { ExecutionLog } from './execution-log.tsx';
import { ExecutionNotes } from './execution-notes.tsx';
import { missedText } from './missed-run.ts';
import { PastRuns } from './past-runs.tsx';

interface ExecutionDrawerProps {
  id: string;
  /** As the list has it, until the whole is read. */
  row: JobExecution | undefined;
  place: string;
  canEdit: boolean;
  drafts: NoteDrafts;
  /** Gives whether it was done. */
  onEdit: (change: Edit['change']) => Promise<boolean>;
  onMove: (step: 1 | -1) => void;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** One run beside the list, which stays in use: the keys go on to the next run, and the list follows. */
export function ExecutionDrawer(props: ExecutionDrawerProps) {
  const { id, row, canEdit, drafts, onEdit, onMove, onOpen, onClose } = props;
  const { data, error, refetch } = useExecution(id);
  const run = data?.data;
  const head = run ?? row;
  const now = useClock().now();
  const drawerRef = useFocusWithin();
  const bodyRef = useTopOf(id);
  useDrawerKeys(onMove, onClose);
  const writeNote = (note: string) => {
    drafts.write(id, withNote(drafts.texts.get(id), note));
    drawerRef.current?.querySelector('textarea')?.focus();
  };
  return (
    <div ref={drawerRef} className={styles.drawer} role="dialog" aria-label={labelOf(head)} tabIndex={-1}>
      {head !== undefined && <DrawerHead {...props} run={head} />}
      <div ref={bodyRef} className={styles.body} aria-busy={run === undefined && error === null}>
        {run !== undefined ? (
          <>
            <Reasons run={run} />
            <Hints hints={run.hints} />
            <SolvedBefore solved={isToDo(run) ? run.solved : null} onUse={canEdit ? writeNote : undefined} />
            {run.sharedBy !== null && <AssignJob run={run} canEdit={canEdit} now={now} onAssigned={onOpen} />}
            {run.result !== 'DidntRun' && <ExecutionLog log={run.log} isRunning={run.result === 'Running'} />}
            <ExecutionNotes
              run={run}
              canEdit={canEdit}
              drafts={drafts}
              onAdd={(content) => onEdit({ note: { content } })}
              onRemove={(noteId) => onEdit({ removeNote: noteId })}
            />
            <PastRuns runs={run.pastRuns} currentId={id} onOpen={onOpen} />
            <ExecutionFacts run={run} now={now} />
          </>
        ) : error !== null ? (
          <ErrorState what="this run" error={error} onRetry={() => void refetch()} />
        ) : (
          <Waiting />
        )}
        {head === undefined && error !== null && <CloseButton onClose={onClose} />}
      </div>
    </div>
  );
}

/** How it was solved before is for runs that are still to be worked on. */
function isToDo({ state }: JobExecutionDetail): boolean {
  return state === 'pending' || state === 'in-progress';
}

function labelOf(run: JobExecution | undefined): string {
  return run === undefined ? 'Job execution' : `Job execution: ${run.jobName}`;
}

/** Why the run is in the list: its message, what is unusual, whether it may belong to another job. */
function Reasons({ run }: { run: JobExecutionDetail }) {
  const { timeZone } = useBackupClock();
  return (
    <div className={styles.reasons}>
      {run.message !== null && (
        <p className={styles.message} data-result={run.result}>
          {run.message}
        </p>
      )}
      {run.result === 'DidntRun' && (
        <p className={styles.message} data-result={run.result}>
          {missedText(run, timeZone)}
        </p>
      )}
      {run.anomalyTexts.length > 0 && <Reason title="Why it's flagged">{run.anomalyTexts}</Reason>}
      {run.match === 'doubtful' && (
        <Reason title="Matched by name, may be another job">
          {['The source does not name the job of this run. It was found by company and name.']}
        </Reason>
      )}
    </div>
  );
}

/** What administrators wrote for runs like this one. */
function Hints({ hints }: { hints: JobExecutionDetail['hints'] }) {
  return hints.map(({ _id, title, text }) => (
    <section key={_id} className={styles.hint} aria-label={`Hint: ${title}`}>
      <h3>Hint: {title}</h3>
      <LinkedText text={text} />
    </section>
  ));
}

function Reason({ title, children }: { title: string; children: readonly string[] }) {
  return (
    <section className={styles.reason} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {children.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function Waiting(): ReactNode {
  return [220, 120, 300].map((height) => (
    <div key={height} className={styles.waiting} style={{ height }} aria-hidden />
  ));
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className={styles.close} onClick={onClose}>
      Back to the list
    </button>
  );
}

/** The keys work from anywhere in the drawer; it gets the focus when it opens. The code that closes it returns the focus. */
function useFocusWithin() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return ref;
}

function useTopOf(id: string) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run begins at its top
  useEffect(() => {
    if (ref.current !== null) ref.current.scrollTop = 0;
  }, [id]);
  return ref;
}

function useDrawerKeys(onMove: (step: 1 | -1) => void, onClose: () => void): void {
  useShortcut('j', 'Next run', () => onMove(1));
  useShortcut('k', 'Previous run', () => onMove(-1));
  useShortcut('ArrowDown', 'Next run', () => onMove(1));
  useShortcut('ArrowUp', 'Previous run', () => onMove(-1));
  useShortcut('Escape', 'Close the run', onClose);
}
