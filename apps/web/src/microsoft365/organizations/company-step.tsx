import { useEffect } from 'react';
import { CompanyChoice } from '../../entities/company-choice.tsx';
import { useFirstCompanies } from '../../entities/company-filter.data.ts';
import { useMayChangeCompanies } from '../../entities/new-company.data.ts';
import { PickerField } from '../../kit/form/choice-fields.tsx';
import type { CallForm } from '../../kit/form/use-call-form.ts';
import styles from '../microsoft365.module.css';
import type { OrganizationDraft } from './organization-draft.ts';

const WHOSE = 'Its backups and restores belong to this company.';
const WHO_ADDS =
  'Companies are added by users with the role admin, under Companies in Monitoring. Ask one of them to add yours.';

/** The company of a new organization. The only one there is, is chosen; where there is none, the step says who adds one. */
export function CompanyStep({ form }: { form: CallForm<OrganizationDraft> }) {
  const { data } = useFirstCompanies();
  const mayAdd = useMayChangeCompanies();
  const { companyObjId } = form.values;
  const { set } = form;
  const only = data?.count === 1 ? data.data[0]?._id : undefined;
  useEffect(() => {
    if (companyObjId === null && only !== undefined) set('companyObjId', only);
  }, [companyObjId, only, set]);
  if (data?.count === 0 && !mayAdd)
    return (
      <p className={styles.warning} role="status">
        <strong>There is no company yet.</strong> {WHO_ADDS} What you enter here stays until you come back to this step.
      </p>
    );
  return (
    <PickerField form={form} name="companyObjId" description={data?.count === 0 ? `${WHOSE} ${ADD_FIRST}` : WHOSE}>
      {({ value, onChange }) => <CompanyChoice companyId={value} onChange={onChange} />}
    </PickerField>
  );
}

const ADD_FIRST = 'There is none yet: type its name to add it.';
