import type { NewPasskeyProof } from '@keepwatch/contract/identity/passkey-fields';
import { addPasskey, beginPasskey } from '@keepwatch/contract/identity/passkeys';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useUser } from '../../kit/portal.tsx';
import { useFirstPassword } from '../proof.tsx';
import { useAddPasskey, useMakePasskey } from './passkeys.data.ts';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Made {
  challenge: string;
  proof: NewPasskeyProof;
}

/** Adds a passkey: the password, the browser's own question, a name, and the recovery codes that come with a first second factor. */
export default function AddPasskey({ onClose }: { onClose: () => void }) {
  const { username } = useUser();
  const [made, setMade] = useState<Made | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const added = (recoveryCodes: readonly string[] | null) =>
    recoveryCodes === null ? onClose() : setCodes(recoveryCodes);
  const title = codes === null ? 'Add a passkey' : 'Store your recovery codes';
  return (
    <Dialog isForm staysAtEscape={codes !== null} size="md" title={title} onClose={onClose}>
      {codes !== null && <RecoveryCodes codes={codes} username={username} onClose={onClose} />}
      {codes === null && made === null && <MakeStep onMade={setMade} />}
      {codes === null && made !== null && <NameStep made={made} onAdded={added} />}
    </Dialog>
  );
}

function MakeStep({ onMade }: { onMade: (made: Made) => void }) {
  const form = useCallForm(beginPasskey, {
    initial: { password: useFirstPassword() },
    secrets: ['password'],
    send: useMakePasskey().mutateAsync,
    onDone: onMade,
  });
  return (
    <PasswordStep form={form} action="Go on">
      A passkey is on your device or on a security key. You use it with your finger, your face or a PIN, after your
      password or without it.
    </PasswordStep>
  );
}

function NameStep({ made, onAdded }: { made: Made; onAdded: (recoveryCodes: readonly string[] | null) => void }) {
  const form = useCallForm(addPasskey, {
    initial: { name: 'Passkey' },
    toBody: ({ name }) => ({ name, ...made }),
    send: useAddPasskey().mutateAsync,
    onDone: ({ data }) => onAdded(data.recoveryCodes),
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Add passkey</SubmitButton>}>
      <TextField isFocused form={form} name="name" label="Name" description="By which you know the device again" />
    </Form>
  );
}
