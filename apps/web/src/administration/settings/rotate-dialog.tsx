import { ROTATE_WORD, rotateSecretKey } from '@keepwatch/contract/administration/secret-key';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import shared from '../page.module.css';
import { TypedWord, typedWord } from '../typed-word.tsx';
import { useRotateKey } from './settings.data.ts';

interface RotateDialogProps {
  /** Of the key in force. */
  id: string;
  onClose: () => void;
}

/** Asks before a new key is brought in force. */
export default function RotateDialog({ id, onClose }: RotateDialogProps) {
  const form = useCallForm(rotateSecretKey, {
    initial: { confirmation: '' },
    toBody: typedWord<typeof ROTATE_WORD>,
    send: useRotateKey().mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title="Rotate the key of the stored secrets" action="Rotate key" onClose={onClose}>
      <p className={shared.hint}>
        A new key is written to the file “secret” in the data folder, and everything stored is encrypted with it in the
        background. The portal goes on working. Store the new key apart from the database, as you did with {id}, which
        backups that were made until now need.
      </p>
      <TypedWord form={form} word={ROTATE_WORD} />
    </FormDialog>
  );
}
