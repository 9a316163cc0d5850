import type { ExecutionNote, SolvedBefore as Solved } from '@keepwatch/contract/executions/job-executions';
import type { Fault } from '@keepwatch/contract/faults/faults';
import { useRef } from 'react';
import { SolvedBefore } from '../../entities/faults/solved-before.tsx';
import { type NoteDrafts, withNote } from '../../entities/notes/note-drafts.data.ts';
import { NoteForm } from '../../entities/notes/note-form.tsx';
import { NoteThread } from '../../entities/notes/note-thread.tsx';
import { draftKey } from './draft-key.ts';
import styles from './fault-notes.module.css';

interface FaultNotesProps {
  fault: Fault;
  notes: readonly ExecutionNote[];
  /** How its cause was solved the last time. */
  solved: Solved | null;
  canEdit: boolean;
  drafts: NoteDrafts;
  onNote: (content: string) => void;
}

/** What was noted of the runs of the fault, oldest first, and the field for the next note. It is added to the last run. */
export function FaultNotes({ fault, notes, solved, canEdit, drafts, onNote }: FaultNotesProps) {
  const ref = useRef<HTMLElement>(null);
  if (!canEdit && notes.length === 0 && solved === null) return null;
  const id = draftKey(fault._id);
  const draft = drafts.texts.get(id);
  const add = (note: string) => {
    drafts.write(id, withNote(draft, note));
    ref.current?.querySelector('textarea')?.focus();
  };
  return (
    <section ref={ref} className={styles.notes} aria-label="Notes">
      <h3>Notes</h3>
      <NoteThread notes={notes} onRemove={null} />
      <SolvedBefore solved={solved} onUse={canEdit ? add : undefined} />
      {canEdit && (
        <NoteForm
          label="Note"
          content={draft ?? ''}
          onChange={(text) => drafts.write(id, text === '' ? null : text)}
          onDiscard={() => drafts.write(id, null)}
          hint={
            draft === undefined ? 'n to write' : 'Ctrl+Enter saves and goes on. Esc, then r: resolved with this note'
          }
          onSave={onNote}
        />
      )}
    </section>
  );
}
