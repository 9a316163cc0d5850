import type { SecondFactorAsked } from '@keepwatch/contract/identity/sessions';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { EntryPage } from '../entry-page.tsx';
import styles from '../sign-in.module.css';
import { useConfirmWithPasskey, useSignInWithCode } from './second-sign-in.data.ts';

interface SecondFactorPageProps {
  asked: SecondFactorAsked;
  onDone: () => void;
  /** Back to the password. */
  onAgain: () => void;
}

/** The second step of a sign-in whose password was right. */
export default function SecondFactorPage({ asked, onDone, onAgain }: SecondFactorPageProps) {
  const [rememberComputer, setRemembered] = useState(false);
  const { challenge, kinds, passkey } = asked;
  const step = { given: { challenge, rememberComputer }, onDone };
  const hasCodes = kinds.includes('authenticator') || kinds.includes('recovery-code');
  return (
    <EntryPage title="Confirm that it is you">
      <div className={styles.form}>
        {hasCodes && <CodeForm kinds={kinds} {...step} />}
        {passkey !== null && <PasskeyStep request={passkey} {...step} />}
        <Checkbox
          label="Remember this computer for 30 days"
          checked={rememberComputer}
          onChange={(event) => setRemembered(event.currentTarget.checked)}
        />
        <Button variant="subtle" size="sm" fullWidth onClick={onAgain}>
          Back to sign-in
        </Button>
      </div>
    </EntryPage>
  );
}

interface StepProps {
  given: { challenge: string; rememberComputer: boolean };
  onDone: () => void;
}

function PasskeyStep({ request, given, onDone }: StepProps & { request: NonNullable<SecondFactorAsked['passkey']> }) {
  const { mutate, isPending, error } = useConfirmWithPasskey(request);
  return (
    <>
      <Failure error={error} />
      <Button
        variant="default"
        size="sm"
        fullWidth
        loading={isPending}
        onClick={() => mutate(given, { onSuccess: onDone })}
      >
        Use a passkey
      </Button>
    </>
  );
}

function CodeForm({ kinds, given, onDone }: StepProps & { kinds: SecondFactorAsked['kinds'] }) {
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useSignInWithCode();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ ...given, code }, { onSuccess: onDone });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        size="sm"
        label="Code"
        description={descriptionOf(kinds)}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoFocus
        required
        withAsterisk={false}
        maxLength={40}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Failure error={error} />
      <Button type="submit" size="sm" fullWidth loading={isPending}>
        Log in
      </Button>
    </form>
  );
}

function Failure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p className={styles.error} role="alert">
      {messageOf(error)}
    </p>
  );
}

function descriptionOf(kinds: SecondFactorAsked['kinds']): string {
  if (!kinds.includes('authenticator')) return 'One of your recovery codes';
  return kinds.includes('recovery-code')
    ? 'Of your authenticator app, or a recovery code'
    : 'Of your authenticator app';
}
