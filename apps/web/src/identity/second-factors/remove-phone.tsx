import { beginPhoneRemoval, removePhone } from '@keepwatch/contract/identity/phones';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { PasswordStep } from './password-step.tsx';
import { useBeginPhoneRemoval, useRemovePhone } from './phones.data.ts';
import styles from './second-factors.module.css';

/** Removes the phone, with the password and a code that it receives. */
export default function RemovePhone({ onClose }: { onClose: () => void }) {
  const [phone, setPhone] = useState<string | null>(null);
  return (
    <Dialog isForm size="md" title="Remove the phone?" onClose={onClose}>
      {phone === null ? <AskPassword onSent={setPhone} /> : <Confirm phone={phone} onClose={onClose} />}
    </Dialog>
  );
}

function AskPassword({ onSent }: { onSent: (phone: string) => void }) {
  const form = useCallForm(beginPhoneRemoval, {
    initial: { password: '' },
    secrets: ['password'],
    send: useBeginPhoneRemoval().mutateAsync,
    onDone: ({ data }) => onSent(data.phone),
  });
  return (
    <PasswordStep form={form} action="Send code">
      Without another second factor your password alone lets you in. A code is sent to the phone first. If you have lost
      it, change its number instead, or ask your administrator.
    </PasswordStep>
  );
}

function Confirm({ phone, onClose }: { phone: string; onClose: () => void }) {
  const form = useCallForm(removePhone, {
    initial: { code: '' },
    send: useRemovePhone().mutateAsync,
    onDone: onClose,
  });
  const submit = (
    <SubmitButton color="red" form={form}>
      Remove phone
    </SubmitButton>
  );
  return (
    <Form form={form} actions={submit}>
      <p className={styles.hint}>A code was sent to {phone}. It counts for ten minutes.</p>
      <TextField isFocused form={form} name="code" label="Code" autoComplete="one-time-code" />
    </Form>
  );
}
