import type { SecondFactorAsked } from '@keepwatch/contract/identity/sessions';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { EntryPage } from '../entry-page.tsx';
import { Failure } from '../failure.tsx';
import styles from '../sign-in.module.css';
import { useConfirmWithPasskey, useSignInWithCode } from './second-sign-in.data.ts';
import type { Credentials } from './sms-sign-in.data.ts';
import { SmsStep } from './sms-step.tsx';

interface SecondFactorPageProps {
  asked: SecondFactorAsked;
  /** What was right: a code from the phone is sent with it. `null`: the account is of an identity provider, and has no phone here. */
  credentials: Credentials | null;
  onDone: () => void;
  /** Back to the password. */
  onAgain: () => void;
}

/** The second step of a sign-in whose password was right. */
export default function SecondFactorPage({ asked, credentials, onDone, onAgain }: SecondFactorPageProps) {
  const [rememberComputer, setRemembered] = useState(false);
  const { challenge, kinds, passkey, sms } = asked;
  const step = { given: { challenge, rememberComputer }, onDone };
  const hasCodes = kinds.includes('authenticator') || kinds.includes('recovery-code');
  return (
    <EntryPage title="Confirm that it is you">
      <div className={styles.form}>
        {sms !== null && credentials !== null && (
          <SmsStep
            sms={sms}
            given={{ ...credentials, rememberComputer }}
            isFirst={!kinds.includes('authenticator')}
            onDone={onDone}
          />
        )}
        {hasCodes && <CodeForm kinds={kinds} isFirst={sms === null || kinds.includes('authenticator')} {...step} />}
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

interface CodeFormProps extends StepProps {
  kinds: SecondFactorAsked['kinds'];
  /** Whether most people go on with it: others have a code from the phone. */
  isFirst: boolean;
}

function CodeForm({ kinds, isFirst, given, onDone }: CodeFormProps) {
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
        label={isFirst ? 'Code' : 'Other code'}
        description={descriptionOf(kinds)}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoFocus={isFirst}
        required
        withAsterisk={false}
        maxLength={40}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Failure error={error} />
      <Button type="submit" size="sm" fullWidth variant={isFirst ? 'filled' : 'default'} loading={isPending}>
        {isFirst ? 'Log in' : 'Log in with the other code'}
      </Button>
    </form>
  );
}

function descriptionOf(kinds: SecondFactorAsked['kinds']): string {
  if (!kinds.includes('authenticator')) return 'One of your recovery codes';
  return kinds.includes('recovery-code')
    ? 'Of your authenticator app, or a recovery code'
    : 'Of your authenticator app';
}
