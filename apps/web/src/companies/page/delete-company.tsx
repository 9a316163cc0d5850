import { type CompanyDetail, deleteCompany } from '@keepwatch/contract/companies/companies';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextAreaField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useDeleteCompany } from '../companies.data.ts';
import styles from './console-links.module.css';

interface DeleteCompanyProps {
  company: CompanyDetail;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what deleting a company does, and asks for the reason. */
export default function DeleteCompany({ company, onClose, onDeleted }: DeleteCompanyProps) {
  const form = useCallForm(deleteCompany, {
    initial: { reason: '' },
    send: useDeleteCompany(company).mutateAsync,
    onDone: onDeleted,
  });
  return (
    <FormDialog isDanger form={form} title={`Delete ${company.name}?`} action="Delete company" onClose={onClose}>
      <p className={styles.note}>
        Its jobs and their history remain, without a company. Its tokens are refused at once, and users who are limited
        to it see nothing.
      </p>
      <TextAreaField isFocused form={form} name="reason" label="Reason" description="Recorded in the audit log" />
    </FormDialog>
  );
}
