import { createFirstAccount } from '@keepwatch/contract/identity/sessions';
import { signIn, start } from '../entities/places.ts';
import { Form, SubmitButton } from '../kit/form/form.tsx';
import { PasswordField, TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { useToasts } from '../kit/portal.tsx';
import { useGo } from '../kit/screen-link.tsx';
import { useCreateFirstAccount } from './setup.data.ts';

/** Creates the first account with the link's token, and goes on signed in with it. */
export function AccountForm({ token }: { token: string }) {
  const toasts = useToasts();
  const go = useGo();
  const form = useCallForm(createFirstAccount, {
    initial: { username: '', name: '', email: '', password: '' },
    secrets: ['password'],
    send: useCreateFirstAccount(token).mutateAsync,
    onDone: (isSignedIn, { username }) => {
      const more = isSignedIn ? 'You are logged in with it.' : 'Log in with it.';
      toasts.success(`The account ${username.trim()} has been created. ${more}`);
      go(isSignedIn ? start.at() : signIn.at(), { replace: true });
    },
  });
  const submit = (
    <SubmitButton saysWhatIsMissing form={form} size="sm" fullWidth>
      Create account
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <TextField
        form={form}
        name="username"
        label="User name"
        description="At least 3 characters"
        autoComplete="username"
        size="sm"
      />
      <TextField form={form} name="name" label="Full name" autoComplete="name" size="sm" />
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="email" size="sm" />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        description="At least 12 characters"
        autoComplete="new-password"
        size="sm"
      />
    </Form>
  );
}
