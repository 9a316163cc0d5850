import type { JobExecutionDetail } from '@keepwatch/contract/monitoring/job-executions';
import { useRef } from 'react';
import { formatDateTime } from '../kit/format/dates.ts';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import styles from './execution-note.module.css';
import type { NoteDrafts } from './note-drafts.data.ts';
import { NoteForm } from './note-form.tsx';

interface ExecutionNoteProps {
  run: JobExecutionDetail;
  canEdit: boolean;
  drafts: NoteDrafts;
  /** Gives whether it was saved. */
  onSave: (content: string) => Promise<boolean>;
}

/** What was written about the run. `n` goes to it. What is not saved yet is there again when the run is. */
export function ExecutionNote({ run, canEdit, drafts, onSave }: ExecutionNoteProps) {
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
  const saved = run.note ?? '';
  const draft = drafts.texts.get(run._id);
  const save = async (content: string) => {
    if (await onSave(content)) drafts.saved(run._id, content);
  };
  return (
    <section ref={sectionRef} className={styles.section} aria-label="Note">
      <h3>Note</h3>
      <NoteForm
        label="Note"
        saved={saved}
        content={draft ?? saved}
        onChange={(text) => drafts.write(run._id, text === saved ? null : text)}
        onDiscard={() => drafts.write(run._id, null)}
        hint={draft !== undefined ? 'Unsaved. Ctrl+Enter to save' : by === '' ? 'Ctrl+Enter to save' : by}
        onSave={(content) => void save(content)}
      />
    </section>
  );
}
