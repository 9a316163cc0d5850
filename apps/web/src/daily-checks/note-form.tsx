import { Button, Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import styles from './note-form.module.css';

interface NoteFormProps {
  label: string;
  /** What has been saved. */
  saved?: string;
  content: string;
  onChange: (content: string) => void;
  hint: string;
  /** An empty text removes the note. */
  onSave: (content: string) => void;
  /** Takes what was written back; offered once something was. */
  onDiscard?: () => void;
  isFocused?: boolean;
}

const NOTE_MAX = 10_000;

/** The keys are for the run again. */
function leave(field: HTMLElement): void {
  field.closest<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true });
}

/** A note's text. Control + Enter saves; Escape leaves the field. */
export function NoteForm(props: NoteFormProps) {
  const { label, saved = '', content, onChange, hint, onSave, onDiscard, isFocused = false } = props;
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(content.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event);
    // A panel that Escape has closed has taken it for itself.
    if (event.key === 'Escape' && !event.defaultPrevented) leave(event.currentTarget);
  };
  const isChanged = content.trim() !== saved.trim();
  return (
    <form className={styles.form} onSubmit={save}>
      <Textarea
        aria-label={label}
        placeholder="What was the cause? What did you do?"
        autosize={false}
        rows={3}
        maxLength={NOTE_MAX}
        autoFocus={isFocused}
        value={content}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.foot}>
        <span className={styles.hint}>{hint}</span>
        {isChanged && onDiscard !== undefined && (
          <Button variant="subtle" onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button type="submit" variant="default" disabled={!isChanged} title="Save the note (Ctrl+Enter)">
          Save note
        </Button>
      </div>
    </form>
  );
}
