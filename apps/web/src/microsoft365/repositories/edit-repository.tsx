import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
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
  const { id, engine, kind, name, passwordDescription, retentionPolicy, needsPassword } = repository;
  const form = useCallForm(editM365Repository, {
    initial: {
      name,
      passwordDescription: passwordDescription ?? '',
      retentionPolicy: retentionChoice(retentionPolicy),
      bucketKeys: { accessKeyId: '', secretAccessKey: '' },
      password: '',
    },
    secrets: ['bucketKeys.secretAccessKey', 'password'],
    toBody: (values) => ({
      name: values.name.trim(),
      passwordDescription: values.passwordDescription.trim(),
      retentionPolicy: retentionOf(values.retentionPolicy),
      ...(values.bucketKeys.secretAccessKey !== '' && { bucketKeys: values.bucketKeys }),
      ...(values.password !== '' && { password: values.password }),
    }),
    send: useEditRepository(id).mutateAsync,
    onDone: onClose,
  });
  const { accessKeyId, secretAccessKey } = form.values.bucketKeys;
  const isPair = (accessKeyId.trim() === '') === (secretAccessKey === '');
  const hasLost = !needsPassword || (form.values.password !== '' && (kind !== 's3' || secretAccessKey !== ''));
  // Keys are required of each other, and all where what was stored is lost.
  const isComplete = form.values.name.trim() !== '' && isPair && hasLost;
  const isShorter =
    (retentionOf(form.values.retentionPolicy) ?? Number.POSITIVE_INFINITY) <
    (retentionPolicy ?? Number.POSITIVE_INFINITY);
  return (
    <FormDialog form={{ ...form, isComplete }} title={`Edit ${name}`} action="Save" onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" />
      <ChoiceField form={form} name="retentionPolicy" label="Retention" choices={RETENTION_CHOICES} />
      {isShorter && (
        <p className={styles.warning} role="status">
          Versions that are older than the new retention are deleted for good.
        </p>
      )}
      <TextField form={form} name="passwordDescription" label="Description of the password" />
      {needsPassword && (
        <>
          <p className={styles.warning} role="status">
            The password of this repository was lost with the key of the stored secrets. Enter it again
            {kind === 's3' && ', and the keys of its bucket'}: until then nothing is backed up or restored here.
          </p>
          <SecretField form={form} name="password" label="Password of the repository" />
        </>
      )}
      {kind === 's3' && hasFeature(engine, 'bucketKeys') && (
        <fieldset className={styles.fields}>
          <legend>New keys of the bucket</legend>
          {!needsPassword && (
            <p className={styles.note}>
              Leave both empty to go on with the present ones. New ones are tried before they are stored.
            </p>
          )}
          <TextField form={form} name="bucketKeys.accessKeyId" label="Access key ID" />
          <SecretField form={form} name="bucketKeys.secretAccessKey" label="Secret access key" />
        </fieldset>
      )}
    </FormDialog>
  );
}
