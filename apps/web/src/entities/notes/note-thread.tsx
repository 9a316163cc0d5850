import { Button } from '@mantine/core';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { BackupTime } from '../../kit/format/backup-time.tsx';
import styles from './note-thread.module.css';

/** A note as all that have notes give it. */
interface ListedNote {
  _id: string;
  content: string;
  by: string;
  at: string;
  /** The user wrote it, and may remove it. */
  isOwn: boolean;
}

interface NoteThreadProps<Note extends ListedNote> {
  notes: readonly Note[];
  /** Removes a note, once the user has confirmed it. `null` where notes are only read. */
  onRemove: ((note: Note) => void) | null;
}

/** Notes with who wrote them and when, in the order in which they are given. */
export function NoteThread<Note extends ListedNote>({ notes, onRemove }: NoteThreadProps<Note>) {
  const { confirm, dialog } = useConfirm();
  if (notes.length === 0) return null;
  const remove = async (note: Note) => {
    const question = { title: 'Remove your note?', text: 'This cannot be undone.', confirmLabel: 'Remove note' };
    if (await confirm(question)) onRemove?.(note);
  };
  return (
    <>
      <ol className={styles.thread}>
        {notes.map((note) => (
          <li key={note._id}>
            <p className={styles.by}>
              <strong>{note.by}</strong>
              <time dateTime={note.at}>
                <BackupTime at={note.at} />
              </time>
              {note.isOwn && onRemove !== null && (
                <Button className={styles.remove} variant="subtle" size="compact-xs" onClick={() => void remove(note)}>
                  Remove
                </Button>
              )}
            </p>
            <p className={styles.text} dir="auto">
              {note.content}
            </p>
          </li>
        ))}
      </ol>
      {dialog}
    </>
  );
}
