import { ROTATE_WORD, rotateSecretKey } from '@keepwatch/contract/administration/secret-key';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useRotateKey } from './settings.data.ts';
import styles from './settings.module.css';

interface RotateDialogProps {
  /** Of the key in force. */
  id: string;
  onClose: () => void;
}

/** Asks before a new key is brought in force. */
export default function RotateDialog({ id, onClose }: RotateDialogProps) {
  const form = useCallForm(rotateSecretKey, {
    initial: { confirmation: '' },
    toBody: ({ confirmation }: { confirmation: string }) => ({
      // What else is typed the contract refuses.
      confirmation: confirmation.trim() as typeof ROTATE_WORD,
    }),
    send: useRotateKey().mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title="Rotate the key of the stored secrets" action="Rotate key" onClose={onClose}>
      <p className={styles.hint}>
        A new key is written to the file “secret” in the data folder, and everything stored is encrypted with it in the
        background. The portal goes on working. Store the new key apart from the database, as you did with {id}, which
        backups that were made until now need.
      </p>
      <TextField
        isFocused
        required
        form={form}
        name="confirmation"
        label={`Type ${ROTATE_WORD} to go on`}
        placeholder={ROTATE_WORD}
      />
    </FormDialog>
  );
}
