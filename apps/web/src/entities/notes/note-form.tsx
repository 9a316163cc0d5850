import { editJobExecution } from '@keepwatch/contract/executions/job-executions';
import { Button, Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import { limitsOf } from '../../kit/form/body-schema.ts';
import styles from './note-form.module.css';

interface NoteFormProps {
  label: string;
  content: string;
  onChange: (content: string) => void;
  hint: string;
  onSave: (content: string) => void;
  /** Takes what was written back; offered once something was. */
  onDiscard?: () => void;
  isFocused?: boolean;
}

const { max: NOTE_MAX } = limitsOf(editJobExecution.body, 'note.content');

/** The keys are for what the note is about again. */
function leave(field: HTMLElement): void {
  field.closest<HTMLElement>('[role="dialog"], [data-owns-keys]')?.focus({ preventScroll: true });
}

/** A note's text. Control + Enter saves; Escape leaves the field. */
export function NoteForm(props: NoteFormProps) {
  const { label, content, onChange, hint, onSave, onDiscard, isFocused = false } = props;
  const isEmpty = content.trim() === '';
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty) onSave(content.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event);
    // If Escape has closed a panel, the key is already used.
    if (event.key === 'Escape' && !event.defaultPrevented) leave(event.currentTarget);
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <Textarea
        aria-label={label}
        placeholder="What was the cause? What did you do?"
        autosize={false}
        rows={3}
        {...(NOTE_MAX === undefined ? {} : { maxLength: NOTE_MAX })}
        data-autofocus={isFocused || undefined}
        value={content}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.foot}>
        <span className={styles.hint}>{hint}</span>
        {!isEmpty && onDiscard !== undefined && (
          <Button variant="subtle" onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button type="submit" variant="default" disabled={isEmpty} title="Save the note (Ctrl+Enter)">
          Save note
        </Button>
      </div>
    </form>
  );
}
