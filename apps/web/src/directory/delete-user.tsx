import { deleteUser, type ListedUser } from '@keepwatch/contract/directory/users';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { TextAreaField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { useDeleteUser } from './users.data.ts';
import styles from './users.module.css';

interface DeleteUserProps {
  user: ListedUser;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what deleting a user does, and asks for the reason. */
export default function DeleteUser({ user, onClose, onDeleted }: DeleteUserProps) {
  const form = useCallForm(deleteUser, {
    initial: { reason: '' },
    toBody: ({ reason }) => ({ reason }),
    send: useDeleteUser(user).mutateAsync,
    onDone: onDeleted,
  });
  return (
    <FormDialog isDanger form={form} title={`Delete ${user.name}?`} action="Delete user" onClose={onClose}>
      <p className={styles.note}>
        {user.name} is signed out everywhere at once and cannot sign in again. What {user.name} did stays in the users
        logs. To keep the account for later, disable it instead.
      </p>
      <TextAreaField isFocused form={form} name="reason" label="Reason" description="Recorded in the audit log" />
    </FormDialog>
  );
}
