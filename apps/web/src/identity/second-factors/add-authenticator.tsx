import { beginAuthenticator, confirmAuthenticator } from '@keepwatch/contract/identity/second-factors';
import { useState } from 'react';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useUser } from '../../kit/portal.tsx';
import { useFirstPassword } from '../proof.tsx';
import { PasswordStep } from './password-step.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useBeginAuthenticator, useConfirmAuthenticator } from './second-factors.data.ts';
import styles from './second-factors.module.css';

interface NewKey {
  key: string;
  address: string;
}

/** Adds an authenticator app: the password, the picture and a code, and the recovery codes that come with a first second factor. */
export default function AddAuthenticator({ onClose }: { onClose: () => void }) {
  const { username } = useUser();
  const [begun, setBegun] = useState<NewKey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const confirmed = (recoveryCodes: readonly string[] | null) =>
    recoveryCodes === null ? onClose() : setCodes(recoveryCodes);
  const title = codes === null ? 'Add an authenticator app' : 'Store your recovery codes';
  return (
    <Dialog isForm staysAtEscape={codes !== null} size="md" title={title} onClose={onClose}>
      {codes !== null && <RecoveryCodes codes={codes} username={username} onClose={onClose} />}
      {codes === null && begun === null && <AskPassword onBegun={setBegun} />}
      {codes === null && begun !== null && <ConfirmApp begun={begun} onConfirmed={confirmed} />}
    </Dialog>
  );
}

function AskPassword({ onBegun }: { onBegun: (key: NewKey) => void }) {
  const form = useCallForm(beginAuthenticator, {
    initial: { password: useFirstPassword() },
    secrets: ['password'],
    send: useBeginAuthenticator().mutateAsync,
    onDone: ({ data }) => onBegun(data),
  });
  return (
    <PasswordStep form={form} action="Go on">
      An app on your phone shows a new code every 30 seconds. You type it when you log in.
    </PasswordStep>
  );
}

interface ConfirmAppProps {
  begun: NewKey;
  onConfirmed: (recoveryCodes: readonly string[] | null) => void;
}

function ConfirmApp({ begun, onConfirmed }: ConfirmAppProps) {
  const form = useCallForm(confirmAuthenticator, {
    initial: { code: '' },
    send: useConfirmAuthenticator().mutateAsync,
    onDone: ({ data }) => onConfirmed(data.recoveryCodes),
  });
  return (
    <div className={styles.steps}>
      <p className={styles.hint}>
        Scan the picture with the app, or type the key into it. Then enter the code that it shows.
      </p>
      <QrCode text={begun.address} label="The key as a QR code" />
      <CopyField label="Key" text={begun.key.replace(/.{4}(?=.)/g, '$& ')} />
      <Form form={form} actions={<SubmitButton form={form}>Add app</SubmitButton>}>
        <TextField isFocused form={form} name="code" label="Code" autoComplete="one-time-code" />
      </Form>
    </div>
  );
}
