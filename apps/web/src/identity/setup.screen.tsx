import { CallFailed } from '@keepwatch/contract/wire/client';
import { Button, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../kit/api.ts';
import { useToasts } from '../kit/portal.tsx';
import { EntryPage } from './entry-page.tsx';
import { type NewAccount, useCreateFirstAccount } from './setup.data.ts';
import styles from './sign-in.module.css';

const FIELDS = [
  {
    name: 'username',
    label: 'User name',
    type: 'text',
    autoComplete: 'username',
    description: 'At least 3 characters',
  },
  { name: 'name', label: 'Full name', type: 'text', autoComplete: 'name', description: undefined },
  { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'email', description: undefined },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'new-password',
    description: 'At least 12 characters',
  },
] as const satisfies readonly { name: keyof NewAccount; [key: string]: unknown }[];

/** The first account of a new installation, by the link that its first start printed. */
export default function SetupScreen() {
  const { token = '' }: { token?: string } = useParams({ strict: false });
  const { mutate, isPending, error } = useCreateFirstAccount(token);
  const [account, setAccount] = useState<NewAccount>({ username: '', name: '', email: '', password: '' });
  const toasts = useToasts();
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const goOn = () => {
      toasts.success(`The account ${account.username} has been created. Log in with it.`);
      void navigate({ to: '/login' });
    };
    mutate(account, { onSuccess: goOn });
  };
  return (
    <EntryPage title="Create the first account">
      <form className={styles.form} onSubmit={submit}>
        {FIELDS.map((field) => (
          <TextInput
            {...field}
            key={field.name}
            size="sm"
            required
            value={account[field.name]}
            error={refusalOf(error, field.name)}
            onChange={(event) => setAccount({ ...account, [field.name]: event.currentTarget.value })}
          />
        ))}
        {error !== null && (
          <p className={styles.error} role="alert">
            {messageOf(error)}
          </p>
        )}
        <Button type="submit" size="sm" fullWidth loading={isPending}>
          Create account
        </Button>
      </form>
    </EntryPage>
  );
}

/** What the server says about one field. */
function refusalOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof CallFailed)) return undefined;
  return error.errors.find(({ path }) => path === field || path === `body.${field}`)?.message;
}
