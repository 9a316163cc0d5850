import { checkSecretAnswers } from '@keepwatch/contract/identity/secret-questions';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { signIn } from '../../entities/places.ts';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EntryPage } from '../entry-page.tsx';
import { Failure } from '../failure.tsx';
import styles from '../sign-in.module.css';
import { useCheckAnswers, useFindQuestions } from './questions.data.ts';

interface QuestionStepsProps {
  title: string;
  /** What the steps lead to, in the first of them. */
  lead: string;
  /** Another way to the same end. */
  otherwise?: ReactNode;
  /** What is done with the answers. */
  children: (hash: string) => ReactNode;
}

/** Asks for the user name, then for the answers to its secret questions. Whether there is such an account is not said. */
export function QuestionSteps({ title, lead, otherwise, children }: QuestionStepsProps) {
  const questions = useFindQuestions();
  const [hash, setHash] = useState<string | null>(null);
  return (
    <EntryPage title={title}>
      {hash !== null && children(hash)}
      {hash === null && questions.data === undefined && <NameForm lead={lead} find={questions} />}
      {hash === null && questions.data !== undefined && <AnswersForm {...questions.data} onProved={setHash} />}
      <div className={styles.form}>
        {otherwise}
        <ScreenLink to={signIn.at()} className={styles.onward}>
          Back to sign-in
        </ScreenLink>
      </div>
    </EntryPage>
  );
}

function NameForm({ lead, find }: { lead: string; find: ReturnType<typeof useFindQuestions> }) {
  const [username, setUsername] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find.mutate(username.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.hint}>{lead}</p>
      <TextInput
        size="sm"
        label="User name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        required
        withAsterisk={false}
        maxLength={200}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <Failure error={find.error} />
      <Button type="submit" size="sm" fullWidth loading={find.isPending} disabled={username.trim() === ''}>
        Continue
      </Button>
    </form>
  );
}

const FIELDS = ['first', 'second', 'third'] as const;

interface AnswersFormProps {
  username: string;
  questions: readonly string[];
  onProved: (hash: string) => void;
}

function AnswersForm({ username, questions, onProved }: AnswersFormProps) {
  const form = useCallForm(checkSecretAnswers, {
    initial: { first: '', second: '', third: '' },
    toBody: ({ first, second, third }) => ({ username, answers: [first, second, third] }),
    send: useCheckAnswers().mutateAsync,
    onDone: ({ data }) => onProved(data.hash),
  });
  const submit = (
    <SubmitButton form={form} size="sm" fullWidth>
      Continue
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      {questions.map((question, at) => (
        <TextField
          key={question}
          isFocused={at === 0}
          form={form}
          name={FIELDS[at] ?? 'first'}
          label={question}
          required
          size="sm"
        />
      ))}
    </Form>
  );
}
