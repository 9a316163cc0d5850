import { useState } from 'react';
import { OrganizationChoice } from '../../entities/organization-choice.tsx';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { PickerField } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { type RecoverySheetParts, useNewRepositoryForm } from './new-repository-form.ts';
import { RecoverySheet } from './recovery-sheet.tsx';
import { RepositoryFields } from './repository-fields.tsx';

interface RepositoryDialogProps {
  /** The organization it is for, where that is known. */
  organizationId: string | null;
  onClose: () => void;
  /** Called with the id of the new repository. */
  onMade: (id: string) => void;
}

/** Makes a repository and shows its recovery sheet, this one time. */
export default function RepositoryDialog({ organizationId, onClose, onMade }: RepositoryDialogProps) {
  const [parts, setParts] = useState<RecoverySheetParts | null>(null);
  if (parts === null) return <RepositoryForm organizationId={organizationId} onClose={onClose} onMade={setParts} />;
  const close = () => onMade(parts.made.data.id);
  return (
    <Dialog isForm staysAtEscape size="md" title={`Repository ${parts.made.data.name}`} onClose={close}>
      <RecoverySheet {...parts} onDone={close} />
    </Dialog>
  );
}

interface RepositoryFormProps extends Omit<RepositoryDialogProps, 'onMade'> {
  onMade: (parts: RecoverySheetParts) => void;
}

function RepositoryForm({ organizationId, onClose, onMade }: RepositoryFormProps) {
  const form = useNewRepositoryForm({ organizationId, onMade });
  return (
    <FormDialog form={form} title="Create a repository" action="Create repository" onClose={onClose}>
      {organizationId === null && (
        <PickerField form={form} name="organizationId">
          {({ value, onChange }) => <OrganizationChoice organizationId={value} onChange={onChange} />}
        </PickerField>
      )}
      <RepositoryFields form={form} />
    </FormDialog>
  );
}
