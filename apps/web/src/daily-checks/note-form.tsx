import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import styles from './note-form.module.css';

interface NoteFormProps {
  label: string;
  /** What stands there already. */
  initial?: string;
  hint: string;
  /** An empty text removes the note. */
  onSave: (content: string) => void;
  isFocused?: boolean;
}

const NOTE_MAX = 10_000;

/** A note's text. Control + Enter saves; Escape leaves the field. */
export function NoteForm({ label, initial = '', hint, onSave, isFocused = false }: NoteFormProps) {
  const [content, setContent] = useState(initial);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(content.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event);
  };
  const isChanged = content.trim() !== initial.trim();
  return (
    <form className={styles.form} onSubmit={save}>
      <Textarea
        aria-label={label}
        placeholder="What was found, what was done"
        autosize={false}
        rows={3}
        maxLength={NOTE_MAX}
        autoFocus={isFocused}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.foot}>
        <span className={styles.hint}>{hint}</span>
        <Button type="submit" variant="default" disabled={!isChanged} title="Save the note (Ctrl+Enter)">
          Save note
        </Button>
      </div>
    </form>
  );
}
