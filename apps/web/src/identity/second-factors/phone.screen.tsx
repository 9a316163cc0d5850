import { giveSmsPhone, type signInWithSms } from '@keepwatch/contract/identity/sms-sign-in';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { signIn } from '../../entities/places.ts';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useBranding, usePortal } from '../../kit/portal.tsx';
import { ScreenLink, useGoOn } from '../../kit/screen-link.tsx';
import type { Session } from '../../kit/session.ts';
import { EntryPage } from '../entry-page.tsx';
import { OtherAccount } from '../other-account.tsx';
import styles from '../sign-in.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type Credentials, useGiveSmsPhone } from './sms-sign-in.data.ts';
import { SmsStep } from './sms-step.tsx';

interface Sent extends Credentials {
  phone: string;
}

/** A session that begins once its recovery codes were seen: signed-in users are led away from this page. */
type Enrolled = Session & { recoveryCodes: readonly string[] };

/** Gives a phone at the sign-in: of who has to add a second factor, and signs in with the code that it receives. */
export default function PhoneScreen() {
  const [sent, setSent] = useState<Sent | null>(null);
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  if (enrolled !== null) return <StoreCodes {...enrolled} />;
  return (
    <EntryPage title={sent === null ? 'Add your phone' : 'Confirm that it is your phone'}>
      {sent === null ? <PhoneForm onSent={setSent} /> : <Confirm sent={sent} onEnrolled={setEnrolled} />}
      <ScreenLink to={signIn.at()} className={styles.onward}>
        Back to sign-in
      </ScreenLink>
    </EntryPage>
  );
}

function PhoneForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const { authType } = useBranding();
  const [directory, setDirectory] = useState(authType);
  const { mutateAsync } = useGiveSmsPhone();
  const form = useCallForm(giveSmsPhone, {
    initial: { username: '', password: '', mobilePhone: '' },
    secrets: ['password'],
    send: (body) => mutateAsync({ directory, ...body }),
    onDone: ({ phone }, { username, password }) => onSent({ directory, username: username.trim(), password, phone }),
  });
  const submit = (
    <SubmitButton saysWhatIsMissing form={form} size="sm" fullWidth>
      Send code
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <TextField isFocused form={form} name="username" label="User name" autoComplete="username" size="sm" />
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" size="sm" />
      <TextField
        form={form}
        name="mobilePhone"
        label="Mobile phone"
        description="With its country, like +1 555 010 0100. A code is sent to it each time you log in"
        autoComplete="tel"
        size="sm"
      />
      {authType === 'ad' && <OtherAccount kind={directory} onKind={setDirectory} />}
    </Form>
  );
}

function Confirm({ sent, onEnrolled }: { sent: Sent; onEnrolled: (enrolled: Enrolled) => void }) {
  const [rememberComputer, setRemembered] = useState(false);
  const goOn = useGoOn();
  const { phone, ...credentials } = sent;
  const given = { ...credentials, rememberComputer, userUpdatedPhoneOnce: true };
  const done = ({ token, user, recoveryCodes }: CallReply<typeof signInWithSms>) =>
    recoveryCodes === null ? goOn(undefined) : onEnrolled({ token, user, recoveryCodes });
  return (
    <div className={styles.form}>
      <SmsStep isFirst sms={{ phone, isSent: true }} given={given} onDone={done} />
      <Checkbox
        label="Remember this computer for 30 days"
        checked={rememberComputer}
        onChange={(event) => setRemembered(event.currentTarget.checked)}
      />
    </div>
  );
}

function StoreCodes({ token, user, recoveryCodes }: Enrolled) {
  const { session } = usePortal();
  const goOn = useGoOn();
  const close = () => {
    session.start({ token, user });
    goOn(undefined);
  };
  return (
    <EntryPage title="Store your recovery codes">
      <RecoveryCodes codes={recoveryCodes} username={user.username} onClose={close} />
    </EntryPage>
  );
}
