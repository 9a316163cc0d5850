import { createCompany } from '@keepwatch/contract/companies/companies';
import { useCreateCompany } from '../entities/new-company.data.ts';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';

interface CompanyDialogProps {
  onClose: () => void;
  /** Called with the id of the new company. */
  onAdded: (id: string) => void;
}

/** Adds a company that no console knows: one that reports through a token. */
export default function CompanyDialog({ onClose, onAdded }: CompanyDialogProps) {
  const form = useCallForm(createCompany, {
    initial: { name: '', email: '', phone: '' },
    send: useCreateCompany().mutateAsync,
    onDone: ({ data }) => onAdded(data._id),
  });
  return (
    <FormDialog form={form} title="Add a company" action="Add company" onClose={onClose}>
      <TextField
        isFocused
        form={form}
        name="name"
        label="Name"
        description="Companies from connected consoles are added automatically"
      />
      <TextField form={form} name="email" label="E-mail" type="email" />
      <TextField form={form} name="phone" label="Phone" type="tel" />
    </FormDialog>
  );
}
