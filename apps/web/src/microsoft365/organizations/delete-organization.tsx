import { deleteOrganization, type OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import { useDeleteOrganization } from './organizations.data.ts';

interface DeleteOrganizationProps {
  organization: OrganizationDetail;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what removing an organization does, and asks for its name. */
export default function DeleteOrganization({ organization, onClose, onDeleted }: DeleteOrganizationProps) {
  const { name, jobCount } = organization;
  const form = useCallForm(deleteOrganization, {
    initial: { name: '' },
    send: useDeleteOrganization(organization).mutateAsync,
    onDone: onDeleted,
  });
  const isComplete = form.values.name.trim() === name;
  return (
    <FormDialog
      isDanger
      form={{ ...form, isComplete }}
      title={`Remove ${name}?`}
      action="Remove organization"
      onClose={onClose}
    >
      <p className={styles.note}>
        The portal stops backing it up and forgets its credentials. An organization that has repositories stays until
        they are removed, because their keys are stored with it. This cannot be undone.
      </p>
      {jobCount > 0 && <p className={styles.warning}>Delete its jobs first: an organization with jobs stays.</p>}
      <TextField isFocused form={form} name="name" label="Name" description={`Type ${name} to confirm`} />
    </FormDialog>
  );
}
