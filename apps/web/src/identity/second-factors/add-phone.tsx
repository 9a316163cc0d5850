import { beginPhone, confirmPhone } from '@keepwatch/contract/identity/phones';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useUser } from '../../kit/portal.tsx';
import { useBeginPhone, useConfirmPhone } from './phones.data.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factors.module.css';

/** Adds a phone, or puts another in its place: the password, the number and a code, and the recovery codes of a first second factor. */
export default function AddPhone({ onClose }: { onClose: () => void }) {
  const { username } = useUser();
  const [phone, setPhone] = useState<string | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const confirmed = (recoveryCodes: readonly string[] | null) =>
    recoveryCodes === null ? onClose() : setCodes(recoveryCodes);
  const title = codes === null ? 'Add a phone' : 'Store your recovery codes';
  return (
    <Dialog isForm staysAtEscape={codes !== null} size="md" title={title} onClose={onClose}>
      {codes !== null && <RecoveryCodes codes={codes} username={username} onClose={onClose} />}
      {codes === null && phone === null && <AskNumber onSent={setPhone} />}
      {codes === null && phone !== null && <ConfirmNumber phone={phone} onConfirmed={confirmed} />}
    </Dialog>
  );
}

function AskNumber({ onSent }: { onSent: (phone: string) => void }) {
  const form = useCallForm(beginPhone, {
    initial: { password: '', mobilePhone: '' },
    secrets: ['password'],
    send: useBeginPhone().mutateAsync,
    onDone: ({ data }) => onSent(data.phone),
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Send code</SubmitButton>}>
      <p className={styles.hint}>
        A code is sent to your phone when you log in. An authenticator app or a passkey protects your account better.
      </p>
      <TextField
        isFocused
        form={form}
        name="mobilePhone"
        label="Mobile phone"
        description="With its country, like +1 555 010 0100"
        autoComplete="tel"
      />
      <PasswordField form={form} name="password" label="Current password" autoComplete="current-password" />
    </Form>
  );
}

interface ConfirmNumberProps {
  phone: string;
  onConfirmed: (recoveryCodes: readonly string[] | null) => void;
}

function ConfirmNumber({ phone, onConfirmed }: ConfirmNumberProps) {
  const form = useCallForm(confirmPhone, {
    initial: { code: '' },
    send: useConfirmPhone().mutateAsync,
    onDone: ({ data }) => onConfirmed(data.recoveryCodes),
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Add phone</SubmitButton>}>
      <p className={styles.hint}>A code was sent to {phone}. It counts for ten minutes.</p>
      <TextField isFocused form={form} name="code" label="Code" autoComplete="one-time-code" />
    </Form>
  );
}
