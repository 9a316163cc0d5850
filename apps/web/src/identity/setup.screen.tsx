import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { setup, signIn, start } from '../entities/places.ts';
import { messageOf } from '../kit/api.ts';
import { PasswordInput } from '../kit/password-input.tsx';
import { useToasts } from '../kit/portal.tsx';
import { isSaidBeside, refusalOf } from '../kit/refusal.ts';
import { ScreenLink, useGo, usePlaceParams } from '../kit/screen-link.tsx';
import { EntryPage } from './entry-page.tsx';
import { type NewAccount, useCreateFirstAccount, useSetupLink } from './setup.data.ts';
import styles from './sign-in.module.css';

const FIELDS = [
  { name: 'username', label: 'User name', autoComplete: 'username', description: 'At least 3 characters' },
  { name: 'name', label: 'Full name', autoComplete: 'name', description: undefined },
  { name: 'email', label: 'E-mail', autoComplete: 'email', description: undefined },
  { name: 'password', label: 'Password', autoComplete: 'new-password', description: 'At least 12 characters' },
] as const satisfies readonly { name: keyof NewAccount; [key: string]: unknown }[];

/** The first account of a new installation, by the link that its first start printed. */
export default function SetupScreen() {
  const { token } = usePlaceParams(setup);
  const { isPending, isSpent } = useSetupLink(token);
  if (isSpent) return <SpentLink />;
  return (
    <EntryPage title="Create the first account">
      {isPending ? <div className={styles.waiting} aria-busy /> : <AccountForm token={token} />}
    </EntryPage>
  );
}

function SpentLink() {
  return (
    <EntryPage title="This link is not valid">
      <p className={styles.hint}>
        It was used already, or a later start of the portal has printed another one. If you have an account, log in.
        Otherwise start the portal again and open the link that it prints.
      </p>
      <ScreenLink to={signIn.at()} className={styles.onward}>
        Go to sign-in
      </ScreenLink>
    </EntryPage>
  );
}

function AccountForm({ token }: { token: string }) {
  const [account, setAccount] = useState<NewAccount>({ username: '', name: '', email: '', password: '' });
  const { onSubmit, isPending, error } = useSubmit(token, account);
  const isSaid = isSaidBeside(
    error,
    FIELDS.map(({ name }) => name),
  );
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {FIELDS.map((field) => {
        const Field = field.name === 'password' ? PasswordInput : TextInput;
        return (
          <Field
            {...field}
            key={field.name}
            type={field.name === 'email' ? 'email' : 'text'}
            size="sm"
            required
            value={account[field.name]}
            error={refusalOf(error, field.name)}
            onChange={(event) => setAccount({ ...account, [field.name]: event.currentTarget.value })}
          />
        );
      })}
      {error !== null && !isSaid && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <Button type="submit" size="sm" fullWidth loading={isPending}>
        Create account
      </Button>
    </form>
  );
}

function useSubmit(token: string, account: NewAccount) {
  const { mutate, isPending, error } = useCreateFirstAccount(token);
  const toasts = useToasts();
  const go = useGo();
  const username = account.username.trim();
  const goOn = (isSignedIn: boolean) => {
    const more = isSignedIn ? 'You are logged in with it.' : 'Log in with it.';
    toasts.success(`The account ${username} has been created. ${more}`);
    go(isSignedIn ? start.at() : signIn.at(), { replace: true });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // The sign-in page also ignores spaces around the name.
    mutate({ ...account, username }, { onSuccess: goOn });
  };
  return { onSubmit, isPending, error };
}
