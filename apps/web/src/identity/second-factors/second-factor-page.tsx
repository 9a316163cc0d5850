import type { PasskeyRequest } from '@keepwatch/contract/identity/passkey-fields';
import { type SecondFactorAsked, signInWithCode } from '@keepwatch/contract/identity/sessions';
import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { EntryPage } from '../entry-page.tsx';
import signInStyles from '../sign-in.module.css';
import { useConfirmWithPasskey } from './passkeys.data.ts';
import { useSignInWithCode } from './second-factors.data.ts';
import styles from './second-factors.module.css';

interface SecondFactorPageProps {
  asked: SecondFactorAsked;
  onDone: () => void;
  /** Back to the password. */
  onAgain: () => void;
}

/** The second step of a sign-in whose password was right. */
export default function SecondFactorPage({ asked, onDone, onAgain }: SecondFactorPageProps) {
  const [isRemembered, setRemembered] = useState(false);
  const { kinds, passkey } = asked;
  const hasCodes = kinds.includes('authenticator') || kinds.includes('recovery-code');
  return (
    <EntryPage title="Confirm that it is you">
      <div className={styles.steps}>
        <Checkbox
          label="Remember this computer for 30 days"
          checked={isRemembered}
          onChange={(event) => setRemembered(event.currentTarget.checked)}
        />
        {passkey !== null && <PasskeyStep request={passkey} isRemembered={isRemembered} onDone={onDone} />}
        {hasCodes && <CodeForm asked={asked} isRemembered={isRemembered} onDone={onDone} />}
        <Button variant="subtle" size="sm" fullWidth onClick={onAgain}>
          Back to sign-in
        </Button>
      </div>
    </EntryPage>
  );
}

interface StepProps {
  isRemembered: boolean;
  onDone: () => void;
}

function PasskeyStep({ request, isRemembered, onDone }: StepProps & { request: PasskeyRequest }) {
  const { mutate, isPending, error } = useConfirmWithPasskey(request, isRemembered);
  return (
    <>
      <Button size="sm" fullWidth loading={isPending} onClick={() => mutate(undefined, { onSuccess: onDone })}>
        Use a passkey
      </Button>
      {error !== null && (
        <p className={signInStyles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
    </>
  );
}

function CodeForm({
  asked: { challenge, kinds, passkey },
  isRemembered,
  onDone,
}: StepProps & { asked: SecondFactorAsked }) {
  const form = useCallForm(signInWithCode, {
    initial: { code: '' },
    toBody: ({ code }) => ({ challenge, code, rememberComputer: isRemembered }),
    send: useSignInWithCode().mutateAsync,
    onDone,
  });
  const submit = (
    <SubmitButton saysWhatIsMissing form={form} size="sm" fullWidth variant={passkey === null ? 'filled' : 'default'}>
      Log in
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <TextField
        isFocused={passkey === null}
        form={form}
        name="code"
        label="Code"
        description={descriptionOf(kinds)}
        autoComplete="one-time-code"
        size="sm"
      />
    </Form>
  );
}

function descriptionOf(kinds: SecondFactorAsked['kinds']): string {
  if (!kinds.includes('authenticator')) return 'One of your recovery codes';
  return kinds.includes('recovery-code')
    ? 'Of your authenticator app, or a recovery code'
    : 'Of your authenticator app';
}
