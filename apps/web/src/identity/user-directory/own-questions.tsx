import { SECRET_QUESTIONS, setOwnQuestions } from '@keepwatch/contract/identity/secret-questions';
import { ChoiceField } from '../../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import styles from '../sign-in.module.css';
import { useOwnQuestions, useSetOwnQuestions } from './questions.data.ts';

const CHOICES = SECRET_QUESTIONS.map((question) => ({ value: question, label: question }));
const PLACES = ['first', 'second', 'third'] as const;

/** Chooses the own secret questions. Answers are never shown again. */
export function OwnQuestions({ onDone }: { onDone?: () => void }) {
  const { data: stored = [] } = useOwnQuestions();
  const [first, second, third] = SECRET_QUESTIONS;
  const form = useCallForm(setOwnQuestions, {
    initial: {
      first: { question: first as string, answer: '' },
      second: { question: second as string, answer: '' },
      third: { question: third as string, answer: '' },
      password: '',
    },
    secrets: ['password'],
    send: useSetOwnQuestions().mutateAsync,
    onDone: () => {
      form.reset();
      onDone?.();
    },
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Save questions</SubmitButton>}>
      {stored.length > 0 && <p className={styles.hint}>You have chosen: {stored.join(' ')}</p>}
      {PLACES.map((place, at) => (
        <div key={place} className={styles.form}>
          <ChoiceField form={form} name={`${place}.question`} label={`Question ${at + 1}`} choices={CHOICES} />
          <TextField form={form} name={`${place}.answer`} label={`Answer ${at + 1}`} required />
        </div>
      ))}
      <PasswordField form={form} name="password" label="Current password" autoComplete="current-password" />
    </Form>
  );
}
