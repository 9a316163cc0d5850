import { changeExpiredPassword } from '@keepwatch/contract/identity/user-directory';
import { Button } from '@mantine/core';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { EntryPage } from '../entry-page.tsx';
import styles from '../sign-in.module.css';
import { useChangeExpiredPassword } from './directory-password.data.ts';
import { PasswordRequirements } from './password-requirements.tsx';

export interface ExpiredPasswordPageProps {
  username: string;
  password: string;
  /** Signs in with the new password. */
  onChanged: (newPassword: string) => void;
  /** Back to the sign-in. */
  onAgain: () => void;
}

/** A password that was right, but has expired or was set by another person, is changed before the sign-in goes on. */
export function ExpiredPasswordPage({ username, password, onChanged, onAgain }: ExpiredPasswordPageProps) {
  const form = useCallForm(changeExpiredPassword, {
    initial: { newPassword: '' },
    secrets: ['newPassword'],
    toBody: ({ newPassword }) => ({ username, password, newPassword }),
    send: useChangeExpiredPassword().mutateAsync,
    onDone: (_, { newPassword }) => onChanged(newPassword),
  });
  const submit = (
    <SubmitButton form={form} size="sm" fullWidth>
      Change password
    </SubmitButton>
  );
  return (
    <EntryPage title="Choose a new password">
      <div className={styles.form}>
        <p className={styles.hint}>Your password has to be changed before you go on.</p>
        <Form form={form} actions={submit}>
          <PasswordField
            isFocused
            form={form}
            name="newPassword"
            label="New password"
            autoComplete="new-password"
            size="sm"
          />
          <PasswordRequirements />
        </Form>
        <Button variant="subtle" size="sm" fullWidth onClick={onAgain}>
          Back to sign-in
        </Button>
      </div>
    </EntryPage>
  );
}
