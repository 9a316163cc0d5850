import { requestPasswordLink } from '@keepwatch/contract/identity/passwords';
import { useState } from 'react';
import { signIn } from '../entities/places.ts';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import { EntryPage } from './entry-page.tsx';
import { useRequestPasswordLink } from './passwords.data.ts';
import styles from './sign-in.module.css';

/** Asks for a link by mail. Whether there is such an account is not said. */
export default function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <EntryPage title={sentTo === null ? 'Forgot your password?' : 'Look into your mailbox'}>
      {sentTo === null ? <RequestForm onSent={setSentTo} /> : <Sent login={sentTo} />}
      <ScreenLink to={signIn.at()} className={styles.onward}>
        Back to sign-in
      </ScreenLink>
    </EntryPage>
  );
}

function RequestForm({ onSent }: { onSent: (login: string) => void }) {
  const form = useCallForm(requestPasswordLink, {
    initial: { login: '' },
    send: useRequestPasswordLink().mutateAsync,
    onDone: (_, { login }) => onSent(login.trim()),
  });
  const submit = (
    <SubmitButton saysWhatIsMissing form={form} size="sm" fullWidth>
      Send link
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <TextField
        isFocused
        form={form}
        name="login"
        label="User name or e-mail"
        description="A link to choose a new password is sent to the address of the account"
        autoComplete="username"
        size="sm"
      />
    </Form>
  );
}

function Sent({ login }: { login: string }) {
  return (
    <p className={styles.hint} role="status">
      If there is an account for {login}, a mail with a link to choose a new password is on its way. The link opens for
      an hour. If no mail arrives, ask the administrator of your portal.
    </p>
  );
}
