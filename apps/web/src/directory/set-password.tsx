import { changeUserPassword, type ListedUser } from '@keepwatch/contract/directory/users';
import { changeUserDirectoryPassword } from '@keepwatch/contract/identity/user-directory';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { PasswordField } from '../kit/form/text-fields.tsx';
import { useCallForm } from '../kit/form/use-call-form.ts';
import { useChangeUserPassword } from './users.data.ts';
import styles from './users.module.css';

/** Sets the password of a user who cannot be reached by a link. */
export default function SetPassword({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const form = useCallForm(user.authType === 'ad' ? changeUserDirectoryPassword : changeUserPassword, {
    initial: { password: '' },
    secrets: ['password'],
    send: useChangeUserPassword(user).mutateAsync,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={`Set the password of ${user.name}`} action="Set password" onClose={onClose}>
      <p className={styles.note}>
        {user.authType === 'ad' && 'It is the password in the directory. '}
        {user.name} is signed out everywhere, signs in with this password, and has to choose another one then.
      </p>
      <PasswordField
        isFocused
        form={form}
        name="password"
        label="New password"
        description={user.authType === 'ad' ? 'As the directory requires' : 'At least 12 characters'}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
