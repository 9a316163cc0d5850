import { removeAuthenticator } from '@keepwatch/contract/identity/second-factors';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useFirstPassword } from '../proof.tsx';
import { PasswordStep } from './password-step.tsx';
import { useRemoveAuthenticator } from './second-factors.data.ts';

/** Removes the authenticator app, with the password. */
export default function RemoveAuthenticator({ onClose }: { onClose: () => void }) {
  const form = useCallForm(removeAuthenticator, {
    initial: { password: useFirstPassword() },
    secrets: ['password'],
    send: useRemoveAuthenticator().mutateAsync,
    onDone: onClose,
  });
  return (
    <Dialog isForm size="md" title="Remove the authenticator app?" onClose={onClose}>
      <PasswordStep isDanger form={form} action="Remove app">
        Its codes no longer count. Without another second factor your password alone lets you in.
      </PasswordStep>
    </Dialog>
  );
}
