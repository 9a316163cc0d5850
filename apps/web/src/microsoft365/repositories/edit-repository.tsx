import { editM365Repository, type Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { ChoiceField } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { SecretField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import { useEditRepository } from './repositories.data.ts';
import { RETENTION_CHOICES, retentionChoice, retentionOf } from './repository-words.ts';

interface EditRepositoryProps {
  repository: Microsoft365Repository;
  onClose: () => void;
}

/** Changes a repository. A shorter retention deletes what is older at the next cleaning. */
export default function EditRepository({ repository, onClose }: EditRepositoryProps) {
  const { id, name, kind, passwordDescription, retentionPolicy } = repository;
  const form = useCallForm(editM365Repository, {
    initial: {
      name,
      passwordDescription: passwordDescription ?? '',
      retentionPolicy: retentionChoice(retentionPolicy),
      accessKeyId: '',
      secretAccessKey: '',
    },
    secrets: ['secretAccessKey'],
    toBody: (values) => ({
      name: values.name.trim(),
      passwordDescription: values.passwordDescription.trim(),
      retentionPolicy: retentionOf(values.retentionPolicy),
      ...keysOf(values),
    }),
    send: useEditRepository(id).mutateAsync,
    onDone: onClose,
  });
  const isShorter =
    (retentionOf(form.values.retentionPolicy) ?? Number.POSITIVE_INFINITY) <
    (retentionPolicy ?? Number.POSITIVE_INFINITY);
  return (
    <FormDialog form={form} title={`Edit ${name}`} action="Save" onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" />
      <ChoiceField form={form} name="retentionPolicy" label="Retention" choices={RETENTION_CHOICES} />
      {isShorter && (
        <p className={styles.warning} role="status">
          Versions that are older than the new retention are deleted for good.
        </p>
      )}
      <TextField form={form} name="passwordDescription" label="Description of the password" />
      {kind === 's3' && (
        <fieldset className={styles.fields}>
          <legend>Other keys of the bucket</legend>
          <p className={styles.note}>
            Leave them empty to go on with those it has. Others are tested before they are stored.
          </p>
          <TextField form={form} name="accessKeyId" label="Access key ID" />
          <SecretField form={form} name="secretAccessKey" label="Secret access key" />
        </fieldset>
      )}
    </FormDialog>
  );
}

/** None, unless some were entered. */
function keysOf({ accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string }) {
  const id = accessKeyId.trim();
  return { ...(id === '' ? {} : { accessKeyId: id }), ...(secretAccessKey === '' ? {} : { secretAccessKey }) };
}
