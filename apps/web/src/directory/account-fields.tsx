import { ROLES, type Role } from '@keepwatch/contract/abilities';
import { rolesGivenBy } from '@keepwatch/contract/directory/given-roles';
import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import { CompanyFilter } from '../entities/company-filter.tsx';
import { ChoicesField } from '../kit/form/choice-fields.tsx';
import { RadioField } from '../kit/form/radio-field.tsx';
import { TextField } from '../kit/form/text-fields.tsx';
import type { CallForm } from '../kit/form/use-call-form.ts';
import { useUser } from '../kit/portal.tsx';
import styles from './users.module.css';

/** What is entered of a user. */
export interface UserDraft {
  /** Only of a new one. */
  username: string;
  name: string;
  email: string;
  roles: readonly Role[];
  reach: 'all' | 'some';
  companyIds: readonly string[];
  isDisabled: boolean;
}

/** What the fields say, as the calls accept it. */
export function accountOf({ name, email, roles, reach, companyIds }: UserDraft) {
  return {
    name: name.trim(),
    email: email.trim(),
    roles: [...roles],
    companyIds: reach === 'all' ? null : [...companyIds],
  };
}

const REACHES = [
  { value: 'all', label: 'All companies', description: 'Also those that are added later' },
  { value: 'some', label: 'Some companies' },
];

/** Name, address, roles and companies of a user: the roles that the person at the screen may give. */
export function AccountFields({ form, isFocused = false }: { form: CallForm<UserDraft>; isFocused?: boolean }) {
  const { acl, companyIds: own } = useUser();
  const givable = rolesGivenBy(acl.map(({ role }) => role));
  const offered = ROLES.filter((role) => givable.includes(role) || form.values.roles.includes(role));
  const { reach, companyIds } = form.values;
  return (
    <>
      <TextField isFocused={isFocused} form={form} name="name" label="Full name" />
      <TextField form={form} name="email" label="E-mail" type="email" />
      <ChoicesField
        form={form}
        name="roles"
        label="Roles"
        choices={offered.map((role) => ({ value: role, label: ROLE_TEXTS[role] }))}
      />
      {own === null && <RadioField form={form} name="reach" label="Companies" choices={REACHES} />}
      {(own !== null || reach === 'some') && (
        <div className={styles.companies}>
          <CompanyFilter companyIds={companyIds} onChange={(ids) => form.set('companyIds', ids)} />
          <span className={styles.problem}>{form.problem('companyIds')}</span>
        </div>
      )}
    </>
  );
}
