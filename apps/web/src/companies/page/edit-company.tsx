import { type CompanyDetail, editCompany } from '@keepwatch/contract/companies/companies';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useEditCompany } from '../companies.data.ts';
import styles from './console-links.module.css';
import { type ConsoleLink, ConsoleLinks } from './console-links.tsx';

interface EditCompanyProps {
  company: CompanyDetail;
  onClose: () => void;
}

interface Draft {
  name: string;
  email: string;
  phone: string;
  isActive: boolean;
  isManaged: boolean;
  links: readonly ConsoleLink[];
}

/** Changes a company. Name and status of one that a console reports come from there. */
export default function EditCompany({ company, onClose }: EditCompanyProps) {
  const { name, isActive, isManaged, links } = company;
  const initial: Draft = { name, email: company.email ?? '', phone: company.phone ?? '', isActive, isManaged, links };
  const form = useCallForm(editCompany, {
    initial,
    toBody: (values) => bodyOf(values, company),
    send: useEditCompany(company._id).mutateAsync,
    onDone: onClose,
  });
  const reporting = form.values.links.find(({ isReporting }) => isReporting);
  return (
    <FormDialog form={form} title={`Edit ${name}`} action="Save" onClose={onClose}>
      {reporting === undefined ? (
        <>
          <TextField isFocused form={form} name="name" label="Name" />
          <FlagField form={form} name="isActive" label="Active" />
        </>
      ) : (
        <p className={styles.note}>Name and status come from {reporting.connectionName}.</p>
      )}
      <TextField isFocused={reporting !== undefined} form={form} name="email" label="E-mail" type="email" />
      <TextField form={form} name="phone" label="Phone" type="tel" />
      <FlagField form={form} name="isManaged" label="Managed" />
      <ConsoleLinks companyId={company._id} links={form.values.links} onChange={(next) => form.set('links', next)} />
    </FormDialog>
  );
}

function bodyOf({ name, email, phone, isActive, isManaged, links }: Draft, company: CompanyDetail) {
  // Only what was changed: a sync may have changed the rest since.
  const isOwn = !links.some(({ isReporting }) => isReporting);
  return {
    ...(isOwn && name.trim() !== company.name ? { name: name.trim() } : {}),
    ...(isOwn && isActive !== company.isActive ? { isActive } : {}),
    ...(email.trim() === '' ? {} : { email: email.trim() }),
    ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
    isManaged,
    links: links.map(({ connectionId, externalId, from }) => ({
      connectionId,
      externalId,
      ...(from === undefined ? {} : { movesFrom: from._id }),
    })),
  };
}
