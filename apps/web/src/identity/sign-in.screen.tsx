import { CallFailed } from '@keepwatch/contract/wire/client';
import { Button, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { forgotPassword } from '../entities/places.ts';
import { PasswordInput } from '../kit/password-input.tsx';
import { useBranding } from '../kit/portal.tsx';
import { ScreenLink, useGoOn } from '../kit/screen-link.tsx';
import { DemonstrationAccounts } from './demonstration-accounts.tsx';
import { EntryPage } from './entry-page.tsx';
import { Failure } from './failure.tsx';
import { usePasskeySignIn, useSignIn } from './sign-in.data.ts';
import styles from './sign-in.module.css';

/** Most people sign in without: its code comes when it is asked for. */
const SecondFactorPage = lazy(() => import('./second-factors/second-factor-page.tsx'));

/** Only of brands with a directory. */
const DirectorySignIn = lazy(() => import('./user-directory/directory-sign-in.tsx'));

/** Most brands have no identity providers. */
const ProviderSignIn = lazy(() => import('./single-sign-on/provider-sign-in.tsx'));

/** Sign-in with user name and password. A refusal shows what the server says (specification "portal", part 8). */
export default function SignInScreen() {
  const branding = useBranding();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [kind, setKind] = useState(branding.authType);
  const { signIn, submitRef } = useSubmit(kind, username, password);
  const fill = (account: string, accountPassword: string) => {
    // What was said is about another account.
    signIn.reset();
    setUsername(account);
    setPassword(accountPassword);
    submitRef.current?.focus();
  };
  if (signIn.asked !== null) {
    return (
      <Suspense fallback={null}>
        <SecondFactorPage
          asked={signIn.asked}
          credentials={{ directory: kind, username: username.trim(), password }}
          onDone={signIn.goOn}
          onAgain={signIn.reset}
        />
      </Suspense>
    );
  }
  if (codeOf(signIn.error) === 'PASSWORD_CHANGE_REQUIRED') {
    return (
      <Suspense fallback={null}>
        <DirectorySignIn
          username={username.trim()}
          password={password}
          onChanged={(newPassword) => {
            setPassword(newPassword);
            signIn.send(newPassword);
          }}
          onAgain={signIn.reset}
        />
      </Suspense>
    );
  }
  const form = (
    <form className={styles.form} onSubmit={signIn.onSubmit}>
      <AccountFields {...{ username, password, setUsername, setPassword }} />
      <Failure error={signIn.error} />
      <Button ref={submitRef} type="submit" size="sm" fullWidth loading={signIn.isPending}>
        Log in
      </Button>
      {'PublicKeyCredential' in window && (
        <Button variant="default" size="sm" fullWidth loading={signIn.isPasskeyPending} onClick={signIn.onPasskey}>
          Log in with a passkey
        </Button>
      )}
      {branding.authType === 'ad' ? (
        <Suspense fallback={null}>
          <DirectorySignIn kind={kind} onKind={setKind} />
        </Suspense>
      ) : (
        <ScreenLink to={forgotPassword.at()} className={styles.forgot}>
          Forgot password?
        </ScreenLink>
      )}
    </form>
  );
  return (
    <EntryPage title={`Log in to ${branding.name}`}>
      <WithProviders>{form}</WithProviders>
      {branding.demonstration !== null && (
        <DemonstrationAccounts demonstration={branding.demonstration} onChoose={fill} />
      )}
    </EntryPage>
  );
}

/** The buttons of the brand's identity providers, if it has some, with or instead of the form. */
function WithProviders({ children }: { children: ReactNode }) {
  if (useBranding().identityProviders.length === 0) return children;
  return (
    <Suspense fallback={null}>
      <ProviderSignIn>{children}</ProviderSignIn>
    </Suspense>
  );
}

interface AccountFieldsProps {
  username: string;
  password: string;
  setUsername: (username: string) => void;
  setPassword: (password: string) => void;
}

function AccountFields({ username, password, setUsername, setPassword }: AccountFieldsProps) {
  return (
    <>
      <TextInput
        size="sm"
        label="User name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        size="sm"
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </>
  );
}

const codeOf = (error: Error | null) => (error instanceof CallFailed ? error.code : null);

function useSubmit(kind: 'ad' | 'db', username: string, password: string) {
  const { mutate, data, isPending, error, reset } = useSignIn(kind);
  const passkey = usePasskeySignIn();
  const submitRef = useRef<HTMLButtonElement>(null);
  const goOn = useGoOn();
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const send = (given: string) =>
    mutate({ username: username.trim(), password: given }, { onSuccess: (reply) => 'token' in reply && goOn(next) });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    passkey.reset();
    send(password);
  };
  const asked = data !== undefined && 'secondFactor' in data ? data.secondFactor : null;
  const onPasskey = () => {
    reset();
    passkey.mutate(undefined, { onSuccess: () => goOn(next) });
  };
  const shown = { asked, isPending, error: error ?? passkey.error, isPasskeyPending: passkey.isPending };
  return { signIn: { ...shown, send, onSubmit, onPasskey, goOn: () => goOn(next), reset }, submitRef };
}
