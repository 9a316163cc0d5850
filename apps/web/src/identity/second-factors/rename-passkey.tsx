import { renamePasskey } from '@keepwatch/contract/identity/passkeys';
import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useRenamePasskey } from './passkeys.data.ts';

interface RenamePasskeyProps {
  passkey: SecondFactors['passkeys'][number];
  onClose: () => void;
}

/** Gives a passkey another name. */
export default function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const form = useCallForm(renamePasskey, {
    initial: { name: passkey.name },
    send: useRenamePasskey(passkey._id).mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={`Rename ${passkey.name}`} action="Rename" onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" />
    </FormDialog>
  );
}
