import { changeOwnPassword } from '@keepwatch/contract/identity/passwords';
import { useSearch } from '@tanstack/react-router';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { PasswordField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { useUser } from '../kit/portal.tsx';
import { useGoOn } from '../kit/screen-link.tsx';
import { useChangeOwnPassword } from './passwords.data.ts';
import styles from './sign-in.module.css';
import { DirectoryPasswordForm } from './user-directory/directory-password-form.tsx';

const ELSEWHERE = 'You log in through an identity provider and have no password here. Change it there.';

/** Changes the own password, wherever the account is. */
export default function ChangePasswordScreen() {
  const { authType, hasPassword } = useUser();
  if (!hasPassword) return <p className={styles.hint}>{ELSEWHERE}</p>;
  if (authType === 'db') return <OwnPassword />;
  return (
    <section className={styles.settings}>
      <p className={styles.hint}>It is your password in the directory, also elsewhere.</p>
      <DirectoryPasswordForm />
    </section>
  );
}

/** The password of an account of the portal: when the user wants to, or has to because another person set it. */
function OwnPassword() {
  const { passwordReset } = useUser();
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const goOn = useGoOn();
  const form = useCallForm(changeOwnPassword, {
    initial: { password: '', newPassword: '' },
    secrets: ['password', 'newPassword'],
    send: useChangeOwnPassword().mutateAsync,
    onDone: () => {
      form.reset();
      if (passwordReset) goOn(next);
    },
  });
  return (
    <section className={styles.settings}>
      <p className={styles.hint}>
        {passwordReset
          ? 'An administrator set your password. Choose one that only you know, and go on.'
          : 'You are signed out on all other devices.'}
      </p>
      <Form form={form} actions={<SubmitButton form={form}>Change password</SubmitButton>}>
        <PasswordField isFocused form={form} name="password" label="Current password" autoComplete="current-password" />
        <PasswordField
          form={form}
          name="newPassword"
          label="New password"
          description="At least 12 characters"
          autoComplete="new-password"
        />
      </Form>
    </section>
  );
}
