import { editUser, type ListedUser } from '@keepwatch/contract/directory/users';
import { FlagField } from '../kit/form/choice-fields.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { AccountFields, accountOf, type UserDraft } from './account-fields.tsx';
import { useEditUser } from './users.data.ts';

/** What is not decided here: a change of it would be refused, or undone at the next login. */
function Origin({ user: { authType, signsInElsewhere } }: { user: ListedUser }) {
  if (authType === 'ad') return <p>Name, e-mail and roles come from Active Directory, and are changed there.</p>;
  if (!signsInElsewhere) return null;
  return (
    <p>
      This user logs in through an identity provider. Name, e-mail, roles and companies are again what it says at the
      next login.
    </p>
  );
}

/** Changes a user. */
export default function EditUser({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { name, email, acl, companies, state } = user;
  const initial: UserDraft = {
    username: user.username,
    name,
    email,
    roles: acl.map(({ role }) => role),
    reach: companies === null ? 'all' : 'some',
    companyIds: companies?.map(({ _id }) => _id) ?? [],
    isDisabled: state === 'disabled',
  };
  const form = useCallForm(editUser, {
    initial,
    toBody: (values) => {
      const { companyIds, ...account } = accountOf(values);
      const isReachNew = values.reach !== initial.reach || values.companyIds !== initial.companyIds;
      return { ...account, ...(isReachNew ? { companyIds } : {}), isDisabled: values.isDisabled };
    },
    send: useEditUser(user._id).mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={`Edit ${name}`} action="Save" onClose={onClose}>
      <Origin user={user} />
      <AccountFields isFocused form={form} />
      <FlagField
        form={form}
        name="isDisabled"
        label="Disabled"
        description="Signed out everywhere at once, and cannot sign in"
      />
    </FormDialog>
  );
}
