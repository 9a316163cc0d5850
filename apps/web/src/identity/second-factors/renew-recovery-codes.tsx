import { renewRecoveryCodes } from '@keepwatch/contract/identity/second-factors';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useUser } from '../../kit/portal.tsx';
import { useFirstPassword } from '../proof.tsx';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useRenewRecoveryCodes } from './second-factors.data.ts';

/** Makes new recovery codes, with the password, and shows them once. */
export default function RenewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const { username } = useUser();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const form = useCallForm(renewRecoveryCodes, {
    initial: { password: useFirstPassword() },
    secrets: ['password'],
    send: useRenewRecoveryCodes().mutateAsync,
    onDone: ({ data }) => setCodes(data),
  });
  const title = codes === null ? 'Make new recovery codes?' : 'Store your recovery codes';
  return (
    <Dialog isForm staysAtEscape={codes !== null} size="md" title={title} onClose={onClose}>
      {codes !== null && <RecoveryCodes codes={codes} username={username} onClose={onClose} />}
      {codes === null && (
        <PasswordStep form={form} action="Make new codes">
          The codes that you have no longer count.
        </PasswordStep>
      )}
    </Dialog>
  );
}
