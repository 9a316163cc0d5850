import type { SecondFactorAsked } from '@keepwatch/contract/identity/sessions';
import type { signInWithSms } from '@keepwatch/contract/identity/sms-sign-in';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Failure } from '../failure.tsx';
import styles from '../sign-in.module.css';
import { type Credentials, useResendSmsCode, useSignInWithSms } from './sms-sign-in.data.ts';

interface SmsStepProps {
  sms: NonNullable<SecondFactorAsked['sms']>;
  given: Credentials & { rememberComputer: boolean; userUpdatedPhoneOnce?: boolean };
  /** Whether it is what most people go on with. */
  isFirst: boolean;
  onDone: (reply: CallReply<typeof signInWithSms>) => void;
}

/** Asks for the code that was sent to the phone, or sends one first. */
export function SmsStep({ sms, given, isFirst, onDone }: SmsStepProps) {
  const { directory, username, password } = given;
  const resend = useResendSmsCode();
  const isSent = sms.isSent || resend.isSuccess;
  const send = () => resend.mutate({ directory, username, password });
  return (
    <>
      {isSent && <SmsForm phone={sms.phone} given={given} isFirst={isFirst} onDone={onDone} />}
      <Failure error={resend.error} />
      <Button variant="default" size="sm" fullWidth loading={resend.isPending} onClick={send}>
        {isSent ? 'Send a new code' : `Send a code to ${sms.phone}`}
      </Button>
    </>
  );
}

function SmsForm({ phone, given, isFirst, onDone }: Omit<SmsStepProps, 'sms'> & { phone: string }) {
  const [smsCode, setSmsCode] = useState('');
  const { mutate, isPending, error } = useSignInWithSms();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ ...given, smsCode }, { onSuccess: onDone });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        size="sm"
        label="Code from your phone"
        description={`Sent to ${phone}. It counts for ten minutes`}
        name="smsCode"
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus={isFirst}
        required
        withAsterisk={false}
        maxLength={20}
        value={smsCode}
        onChange={(event) => setSmsCode(event.currentTarget.value)}
      />
      <Failure error={error} />
      <Button type="submit" size="sm" fullWidth loading={isPending}>
        Log in with this code
      </Button>
    </form>
  );
}
