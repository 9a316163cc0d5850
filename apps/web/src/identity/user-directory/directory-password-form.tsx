import { changeOwnDirectoryPassword } from '@keepwatch/contract/identity/user-directory';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useChangeOwnDirectoryPassword } from './directory-password.data.ts';
import { PasswordRequirements } from './password-requirements.tsx';

/** Changes the own password in the directory. */
export function DirectoryPasswordForm() {
  const form = useCallForm(changeOwnDirectoryPassword, {
    initial: { password: '', newPassword: '' },
    secrets: ['password', 'newPassword'],
    send: useChangeOwnDirectoryPassword().mutateAsync,
    onDone: () => form.reset(),
  });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Change password</SubmitButton>}>
      <PasswordField isFocused form={form} name="password" label="Current password" autoComplete="current-password" />
      <PasswordField form={form} name="newPassword" label="New password" autoComplete="new-password" />
      <PasswordRequirements />
    </Form>
  );
}
