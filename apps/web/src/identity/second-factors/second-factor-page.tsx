import { type SecondFactorAsked, signInWithCode } from '@keepwatch/contract/identity/sessions';
import { Button } from '@mantine/core';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { EntryPage } from '../entry-page.tsx';
import { useSignInWithCode } from './second-factors.data.ts';

interface SecondFactorPageProps {
  asked: SecondFactorAsked;
  onDone: () => void;
  /** Back to the password. */
  onAgain: () => void;
}

/** The second step of a sign-in whose password was right. */
export default function SecondFactorPage({ asked, onDone, onAgain }: SecondFactorPageProps) {
  return (
    <EntryPage title="Confirm that it is you">
      <CodeForm asked={asked} onDone={onDone} />
      <Button variant="subtle" size="sm" fullWidth mt={8} onClick={onAgain}>
        Back to sign-in
      </Button>
    </EntryPage>
  );
}

function CodeForm({ asked: { challenge, kinds }, onDone }: Pick<SecondFactorPageProps, 'asked' | 'onDone'>) {
  const form = useCallForm(signInWithCode, {
    initial: { code: '', rememberComputer: false },
    toBody: ({ code, rememberComputer }) => ({ challenge, code, rememberComputer }),
    send: useSignInWithCode().mutateAsync,
    onDone,
  });
  const submit = (
    <SubmitButton saysWhatIsMissing form={form} size="sm" fullWidth>
      Log in
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <TextField
        isFocused
        form={form}
        name="code"
        label="Code"
        description={
          kinds.includes('recovery-code')
            ? 'Of your authenticator app, or a recovery code'
            : 'Of your authenticator app'
        }
        autoComplete="one-time-code"
        size="sm"
      />
      <FlagField form={form} name="rememberComputer" label="Remember this computer for 30 days" />
    </Form>
  );
}
