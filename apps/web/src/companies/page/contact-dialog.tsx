import { addCompanyContact, type CompanyContact } from '@keepwatch/contract/companies/company-contacts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useSaveContact } from './company-page.data.ts';

interface ContactDialogProps {
  companyId: string;
  /** `null`: a new one. */
  contact: CompanyContact | null;
  onClose: () => void;
}

/** Adds a contact of a company, or changes one. */
export default function ContactDialog({ companyId, contact, onClose }: ContactDialogProps) {
  const form = useCallForm(addCompanyContact, {
    initial: {
      name: contact?.name ?? '',
      role: contact?.role ?? '',
      email: contact?.email ?? '',
      phone: contact?.phone ?? '',
    },
    send: useSaveContact(companyId, contact).mutateAsync,
    onDone: onClose,
  });
  const title = contact === null ? 'Add a contact' : `Edit ${contact.name}`;
  return (
    <FormDialog form={form} title={title} action={contact === null ? 'Add contact' : 'Save'} onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" />
      <TextField form={form} name="role" label="Role" placeholder="IT manager, on call at night" />
      <TextField form={form} name="email" label="E-mail" type="email" />
      <TextField form={form} name="phone" label="Phone" type="tel" />
    </FormDialog>
  );
}
