import { removePasskey } from '@keepwatch/contract/identity/passkeys';
import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useFirstPassword } from '../proof.tsx';
import { useRemovePasskey } from './passkeys.data.ts';
import { PasswordStep } from './password-step.tsx';

interface RemovePasskeyProps {
  passkey: SecondFactors['passkeys'][number];
  onClose: () => void;
}

/** Removes a passkey, with the password. */
export default function RemovePasskey({ passkey, onClose }: RemovePasskeyProps) {
  const form = useCallForm(removePasskey, {
    initial: { password: useFirstPassword() },
    secrets: ['password'],
    send: useRemovePasskey(passkey._id).mutateAsync,
    onDone: onClose,
  });
  return (
    <Dialog isForm size="md" title={`Remove ${passkey.name}?`} onClose={onClose}>
      <PasswordStep isDanger form={form} action="Remove passkey">
        It no longer lets you in. Your device may still offer it until you remove it there, too.
      </PasswordStep>
    </Dialog>
  );
}
