import { deleteOrganization, type OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
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
      {jobCount > 0 && (
        <p className={styles.warning}>
          {`Delete its ${formatCounted(jobCount, 'job', 'jobs')} first, then its repositories.`}
        </p>
      )}
      <Facts>
        <Fact term="Goes">
          Its connection and credentials, its restore operator roles, its downloads and restores, and its users in the
          reports. This cannot be undone.
        </Fact>
        <Fact term="Stays">Its backups: while it has jobs or repositories, it is not removed.</Fact>
        <Fact term="At Microsoft">Its applications and their permissions stay. Delete them in Microsoft Entra.</Fact>
      </Facts>
      <TextField isFocused required form={form} name="name" label="Name" description={`Type ${name} to confirm`} />
    </FormDialog>
  );
}
