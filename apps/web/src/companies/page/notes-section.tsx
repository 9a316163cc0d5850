import { addCompanyNote, type CompanyNote } from '@keepwatch/contract/companies/company-notes';
import { Button } from '@mantine/core';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextAreaField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { BackupTime } from '../../kit/format/backup-time.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import page from './company.module.css';
import { useAddNote, useNotes, useRemoveNote } from './company-page.data.ts';
import { CompanySection } from './company-section.tsx';
import styles from './notes-section.module.css';

/** What technicians should know of the company, newest first. */
export function NotesSection({ id }: { id: string }) {
  const reading = useNotes(id);
  const { count = 0, data = [] } = reading.data ?? {};
  return (
    <CompanySection
      title="Notes"
      note={count > data.length ? `${data.length} newest of ${formatCount(count)}` : undefined}
      reading={reading}
    >
      {(notes) => (
        <>
          <NoteForm id={id} />
          {notes.count === 0 ? (
            <p className={styles.none}>No notes yet: whom to call, when backups pause, what is special here.</p>
          ) : (
            <Notes id={id} notes={notes.data} />
          )}
        </>
      )}
    </CompanySection>
  );
}

function NoteForm({ id }: { id: string }) {
  const form = useCallForm(addCompanyNote, {
    initial: { content: '' },
    send: useAddNote(id).mutateAsync,
    onDone: () => form.reset(),
  });
  return (
    <div className={page.onScreen}>
      <Form
        form={form}
        actions={
          <SubmitButton form={form} variant="default" size="compact-sm">
            Add note
          </SubmitButton>
        }
      >
        <TextAreaField form={form} name="content" label="New note" rows={2} />
      </Form>
    </div>
  );
}

function Notes({ id, notes }: { id: string; notes: readonly CompanyNote[] }) {
  const { confirm, dialog } = useConfirm();
  const removing = useRemoveNote(id);
  const remove = async (note: CompanyNote) => {
    const question = { title: 'Remove your note?', text: 'This cannot be undone.', confirmLabel: 'Remove note' };
    if (await confirm(question)) removing.mutate(note);
  };
  return (
    <>
      <ol className={styles.notes}>
        {notes.map((note) => (
          <li key={note._id}>
            <p className={styles.by}>
              <strong>{note.by}</strong>
              <time dateTime={note.at}>
                <BackupTime at={note.at} />
              </time>
              {note.isOwn && (
                <Button
                  className={page.onScreen ?? ''}
                  variant="subtle"
                  size="compact-xs"
                  onClick={() => void remove(note)}
                >
                  Remove
                </Button>
              )}
            </p>
            <p className={styles.text}>{note.content}</p>
          </li>
        ))}
      </ol>
      {dialog}
    </>
  );
}
