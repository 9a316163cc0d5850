import type { JobExecutionDetail } from '@keepwatch/contract/monitoring/job-executions';
import { useRef } from 'react';
import { formatDateTime } from '../kit/format/dates.ts';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import styles from './execution-note.module.css';
import { NoteForm } from './note-form.tsx';

interface ExecutionNoteProps {
  run: JobExecutionDetail;
  canEdit: boolean;
  onSave: (content: string) => void;
}

/** What was written about the run. `n` goes to it. */
export function ExecutionNote({ run, canEdit, onSave }: ExecutionNoteProps) {
  const sectionRef = useRef<HTMLElement>(null);
  useShortcut('n', 'Write a note', () => sectionRef.current?.querySelector('textarea')?.focus(), !canEdit);
  const by = run.noteBy === null ? '' : `${run.noteBy}, ${formatDateTime(run.noteAt)}`;
  if (!canEdit) {
    return run.note === null ? null : (
      <section aria-label="Note">
        <h3>Note</h3>
        <p className={styles.text}>{run.note}</p>
        <p className={styles.by}>{by}</p>
      </section>
    );
  }
  return (
    <section ref={sectionRef} className={styles.section} aria-label="Note">
      <h3>Note</h3>
      <NoteForm
        // Another run, or another text that has been saved, begins anew.
        key={`${run._id} ${run.note}`}
        label="Note"
        initial={run.note ?? ''}
        hint={by === '' ? 'Ctrl+Enter saves' : by}
        onSave={onSave}
      />
    </section>
  );
}
