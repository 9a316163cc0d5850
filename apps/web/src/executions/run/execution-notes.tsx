import type { ExecutionNote, JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import type { NoteDrafts } from '../../entities/notes/note-drafts.data.ts';
import { NoteForm } from '../../entities/notes/note-form.tsx';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { BackupTime } from '../../kit/format/backup-time.tsx';
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
  const { confirm, dialog } = useConfirm();
  useShortcut('n', 'Write a note', () => sectionRef.current?.querySelector('textarea')?.focus(), !canEdit);
  if (!canEdit && run.notes.length === 0) return null;
  const draft = drafts.texts.get(run._id);
  const save = async (content: string) => {
    if (await onAdd(content)) drafts.saved(run._id, content);
  };
  const remove = async (note: ExecutionNote) => {
    const question = { title: 'Remove your note?', text: 'This cannot be undone.', confirmLabel: 'Remove note' };
    if (await confirm(question)) await onRemove(note._id);
  };
  return (
    <section ref={sectionRef} className={styles.section} aria-label="Notes">
      <h3>Notes</h3>
      <Thread notes={run.notes} onRemove={canEdit ? (note) => void remove(note) : null} />
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
      {dialog}
    </section>
  );
}

interface ThreadProps {
  notes: readonly ExecutionNote[];
  /** `null` for readers. */
  onRemove: ((note: ExecutionNote) => void) | null;
}

function Thread({ notes, onRemove }: ThreadProps) {
  if (notes.length === 0) return null;
  return (
    <ol className={styles.thread}>
      {notes.map((note) => (
        <li key={note._id}>
          <p className={styles.by}>
            <strong>{note.by}</strong>
            <time dateTime={note.at}>
              <BackupTime at={note.at} />
            </time>
            {note.isOwn && onRemove !== null && (
              <Button variant="subtle" size="compact-xs" onClick={() => onRemove(note)}>
                Remove
              </Button>
            )}
          </p>
          <p className={styles.text}>{note.content}</p>
        </li>
      ))}
    </ol>
  );
}
