import { deleteM365Repository, type Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import { useDeleteRepository } from './repositories.data.ts';

interface DeleteRepositoryProps {
  repository: Microsoft365Repository;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what removing a repository does, and asks for its name. */
export default function DeleteRepository({ repository, onClose, onDeleted }: DeleteRepositoryProps) {
  const { id, companyId, name, jobCount } = repository;
  const form = useCallForm(deleteM365Repository, {
    initial: { repository: '' },
    toBody: (values) => ({ id, companyId, repository: values.repository.trim() }),
    send: useDeleteRepository(repository).mutateAsync,
    onDone: onDeleted,
  });
  const isComplete = form.values.repository.trim() === name;
  return (
    <FormDialog
      isDanger
      form={{ ...form, isComplete }}
      title={`Remove ${name}?`}
      action="Remove repository"
      onClose={onClose}
    >
      <p className={styles.note}>
        Its restore points can no longer be opened in the portal, and the portal forgets its password. Its files stay
        where they are, and can be read with the password on the recovery sheet.
      </p>
      {jobCount > 0 && <p className={styles.warning}>Jobs use it: give them another repository first.</p>}
      <TextField isFocused form={form} name="repository" label="Name" description={`Type ${name} to confirm`} />
    </FormDialog>
  );
}
