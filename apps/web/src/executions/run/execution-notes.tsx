import type { JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import { useRef } from 'react';
import type { NoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { NoteForm } from '../../entities/notes/note-form.tsx';
import { NoteThread } from '../../entities/notes/note-thread.tsx';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import styles from './execution-notes.module.css';

interface ExecutionNotesProps {
  run: JobExecutionDetail;
  canEdit: boolean;
  drafts: NoteDrafts;
  /** Adds a note to the thread; gives whether it was saved. */
  onAdd: (content: string) => Promise<boolean>;
  onRemove: (noteId: string) => Promise<boolean>;
}

/**
 * The thread of notes on the run, oldest first, and the field for the next one. `n` goes to it. What is not saved yet is there
 * again when the run is.
 */
export function ExecutionNotes({ run, canEdit, drafts, onAdd, onRemove }: ExecutionNotesProps) {
  const sectionRef = useRef<HTMLElement>(null);
  useShortcut('n', 'Write a note', () => sectionRef.current?.querySelector('textarea')?.focus(), !canEdit);
  if (!canEdit && run.notes.length === 0) return null;
  const draft = drafts.texts.get(run._id);
  const save = async (content: string) => {
    if (await onAdd(content)) drafts.saved(run._id, content);
  };
  return (
    <section ref={sectionRef} className={styles.section} aria-label="Notes">
      <h3>Notes</h3>
      <NoteThread notes={run.notes} onRemove={canEdit ? (note) => void onRemove(note._id) : null} />
      {canEdit && (
        <NoteForm
          label="Note"
          content={draft ?? ''}
          onChange={(text) => drafts.write(run._id, text === '' ? null : text)}
          onDiscard={() => drafts.write(run._id, null)}
          hint={draft === undefined ? 'Ctrl+Enter to save' : 'Unsaved. Ctrl+Enter to save'}
          onSave={(content) => void save(content)}
        />
      )}
    </section>
  );
}
