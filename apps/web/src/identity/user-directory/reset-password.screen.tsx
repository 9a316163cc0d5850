import { resetDirectoryPassword } from '@keepwatch/contract/identity/user-directory';
import { forgotPassword, signIn } from '../../entities/places.ts';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useToasts } from '../../kit/portal.tsx';
import { ScreenLink, useGo } from '../../kit/screen-link.tsx';
import styles from '../sign-in.module.css';
import { PasswordRequirements } from './password-requirements.tsx';
import { QuestionSteps } from './question-steps.tsx';
import { useResetPassword } from './questions.data.ts';

/** Sets a new password in the directory, by the secret questions. */
export default function ResetPasswordScreen() {
  return (
    <QuestionSteps
      title="Forgot your password?"
      lead="Answer your secret questions to choose a new one. It unlocks your account, too."
      otherwise={
        <ScreenLink to={forgotPassword.at()} className={styles.onward}>
          Get a link by e-mail instead
        </ScreenLink>
      }
    >
      {(hash) => <PasswordForm hash={hash} />}
    </QuestionSteps>
  );
}

function PasswordForm({ hash }: { hash: string }) {
  const toasts = useToasts();
  const go = useGo();
  const form = useCallForm(resetDirectoryPassword, {
    initial: { password: '' },
    secrets: ['password'],
    toBody: ({ password }) => ({ hash, password }),
    send: useResetPassword().mutateAsync,
    onDone: () => {
      toasts.success('Your password has been set. Log in with it.');
      go(signIn.at(), { replace: true });
    },
  });
  const submit = (
    <SubmitButton form={form} size="sm" fullWidth>
      Set password
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <PasswordField isFocused form={form} name="password" label="New password" autoComplete="new-password" size="sm" />
      <PasswordRequirements />
    </Form>
  );
}
