import { ChoiceField } from '../../kit/form/choice-fields.tsx';
import { RadioField } from '../../kit/form/radio-field.tsx';
import { NumberField, PasswordField, SecretField, TextField } from '../../kit/form/text-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import type { RepositoryDraft } from './new-repository-form.ts';
import { RETENTION_CHOICES } from './repository-words.ts';

type DraftForm = CallForm<RepositoryDraft>;

const KINDS = [
  { value: 'folder', label: 'Folder', description: 'A disk or share that the workers of the portal can reach' },
  { value: 's3', label: 'S3 bucket', description: 'Amazon S3, or any store that is compatible with it' },
];

/** What a new repository is asked for. */
export function RepositoryFields({ form }: { form: DraftForm }) {
  const isBucket = form.values.place.kind === 's3';
  return (
    <>
      <TextField isFocused form={form} name="name" label="Name" />
      <RadioField form={form} name="place.kind" label="Place" choices={KINDS} />
      {isBucket ? <BucketFields form={form} /> : <FolderFields form={form} />}
      <ChoiceField
        form={form}
        name="retentionPolicy"
        label="Retention"
        description="How long an item is retained after it was changed or deleted. Current items are always retained."
        choices={RETENTION_CHOICES}
      />
      {isBucket && (
        <NumberField
          required
          form={form}
          name="immutableDays"
          label="Immutability in days"
          unit="days"
          description="The bucket needs object lock. No backup can be deleted for so long; 0 turns it off."
        />
      )}
      <PasswordFields form={form} />
    </>
  );
}

function FolderFields({ form }: { form: DraftForm }) {
  return (
    <TextField
      required
      form={form}
      name="place.path"
      label="Folder"
      description="A name, such as contoso, or a whole path. The folder is empty, or not there yet."
    />
  );
}

function BucketFields({ form }: { form: DraftForm }) {
  return (
    <>
      <TextField
        form={form}
        name="place.endpoint"
        label="Endpoint"
        type="url"
        description="Leave empty for Amazon S3. Example: https://s3.example.com"
      />
      <div className={styles.beside}>
        <TextField required form={form} name="place.region" label="Region" />
        <TextField required form={form} name="place.bucket" label="Bucket" />
      </div>
      <TextField form={form} name="place.prefix" label="Folder in the bucket" />
      <TextField required form={form} name="place.accessKeyId" label="Access key ID" />
      <SecretField required form={form} name="place.secretAccessKey" label="Secret access key" />
    </>
  );
}

function PasswordFields({ form }: { form: DraftForm }) {
  return (
    <fieldset className={styles.fields}>
      <legend>Encryption</legend>
      <p className={styles.note}>
        Everything in the repository is encrypted with this password. Without it the backups cannot be read.
      </p>
      <div className={styles.beside}>
        <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
        <PasswordField form={form} name="repeatPassword" label="Repeat the password" autoComplete="new-password" />
      </div>
      <TextField
        form={form}
        name="passwordDescription"
        label="Description of the password"
        description="Where it is stored, as “vault, entry 12”. Never the password itself."
      />
    </fieldset>
  );
}
