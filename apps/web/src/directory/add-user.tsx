import { createUser } from '@keepwatch/contract/directory/users';
import { useState } from 'react';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { TextField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { useUser } from '../kit/portal.tsx';
import { AccountFields, accountOf, type UserDraft } from './account-fields.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';
import { type Invited, useCreateUser } from './users.data.ts';

interface AddUserProps {
  onClose: () => void;
  /** Called with the id of the new user. */
  onAdded: (id: string) => void;
}

/** Adds a user, and shows the link with which that person sets a password. */
export default function AddUser({ onClose, onAdded }: AddUserProps) {
  const [added, setAdded] = useState<{ id: string; invited: Invited } | null>(null);
  const { companyIds } = useUser();
  const reach = companyIds === null ? 'all' : 'some';
  const initial: UserDraft = {
    username: '',
    name: '',
    email: '',
    roles: [],
    reach,
    companyIds: [],
    isDisabled: false,
  };
  const form = useCallForm(createUser, {
    initial,
    toBody: (values) => ({ username: values.username.trim(), ...accountOf(values) }),
    send: useCreateUser().mutateAsync,
    onDone: ({ data, invitation }) => setAdded({ id: data._id, invited: { user: data, invitation } }),
  });
  if (added !== null) return <InvitationDialog {...added.invited} onClose={() => onAdded(added.id)} />;
  return (
    <FormDialog form={form} title="Add a user" action="Add user" onClose={onClose}>
      <TextField
        isFocused
        form={form}
        name="username"
        label="User name"
        description="At least 3 characters: letters a to z, digits and . _ @ + -"
      />
      <AccountFields form={form} />
    </FormDialog>
  );
}
