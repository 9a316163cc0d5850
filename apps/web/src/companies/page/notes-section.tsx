import { addCompanyNote } from '@keepwatch/contract/companies/company-notes';
import { NoteThread } from '../../entities/notes/note-thread.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextAreaField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import page from './company.module.css';
import { useAddNote, useNotes, useRemoveNote } from './company-page.data.ts';
import { CompanySection } from './company-section.tsx';
import styles from './notes-section.module.css';

/** What technicians should know of the company, newest first. */
export function NotesSection({ id }: { id: string }) {
  const reading = useNotes(id);
  const removing = useRemoveNote(id);
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
            <div className={styles.notes}>
              <NoteThread notes={notes.data} onRemove={(note) => removing.mutate(note)} />
            </div>
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
