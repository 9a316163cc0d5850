import { setPasswordByLink } from '@keepwatch/contract/identity/passwords';
import { forgotPassword, type setPassword, signIn } from '../entities/places.ts';
import { textField, useUrlState } from '../kit/address/url-state.ts';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { PasswordField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import type { FieldsOf } from '../kit/place.ts';
import { useToasts } from '../kit/portal.tsx';
import { ScreenLink, useGo } from '../kit/screen-link.tsx';
import { EntryPage } from './entry-page.tsx';
import { Failure } from './failure.tsx';
import { usePasswordLink, useSetPasswordByLink } from './passwords.data.ts';
import styles from './sign-in.module.css';

const FIELDS = { hash: textField() } satisfies FieldsOf<typeof setPassword>;

/** Chooses a password with a link that was mailed or handed over. */
export default function SetPasswordScreen() {
  const [{ hash }] = useUrlState(FIELDS);
  const { data, error } = usePasswordLink(hash);
  if (data?.isValid === false) return <SpentLink />;
  return (
    <EntryPage title={data?.isInvitation === true ? 'Welcome. Choose your password' : 'Choose a new password'}>
      <Failure error={error} />
      {data === undefined ? (
        <div className={styles.waiting} aria-busy={error === null} />
      ) : (
        <PasswordForm hash={hash} />
      )}
    </EntryPage>
  );
}

function PasswordForm({ hash }: { hash: string }) {
  const toasts = useToasts();
  const go = useGo();
  const form = useCallForm(setPasswordByLink, {
    initial: { password: '' },
    secrets: ['password'],
    toBody: ({ password }) => ({ hash, password }),
    send: useSetPasswordByLink().mutateAsync,
    onDone: () => {
      toasts.success('Your password has been set. Log in with it.');
      go(signIn.at(), { replace: true });
    },
  });
  const submit = (
    <SubmitButton saysWhatIsMissing form={form} size="sm" fullWidth>
      Set password
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <PasswordField
        isFocused
        form={form}
        name="password"
        label="New password"
        description="At least 12 characters"
        autoComplete="new-password"
        size="sm"
      />
    </Form>
  );
}

function SpentLink() {
  return (
    <EntryPage title="This link is not valid">
      <p className={styles.hint}>
        It was used already, or it is too old. Ask for another one; if you were invited, ask the person who invited you.
      </p>
      <ScreenLink to={forgotPassword.at()} className={styles.onward} otherwise={signIn.at()}>
        Ask for another link
      </ScreenLink>
    </EntryPage>
  );
}
