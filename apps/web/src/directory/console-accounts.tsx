import { CONSOLE_KIND_TEXTS, CONSOLE_KINDS, type ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import type { ListedUser } from '@keepwatch/contract/directory/users';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../kit/api.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import { useAddConsoleAccount, useConsoleAccounts, useRemoveConsoleAccount } from './console-accounts.data.ts';
import styles from './users.module.css';

/** The accounts of a user in connected consoles, which the user then opens from the menu of the applications. */
export default function ConsoleAccounts({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  return (
    <Dialog size="md" title={`Console accounts of ${user.name}`} onClose={onClose}>
      <div className={styles.invitation}>
        <Accounts user={user} />
        <AddAccount user={user} />
      </div>
    </Dialog>
  );
}

function Accounts({ user }: { user: ListedUser }) {
  const { data, error } = useConsoleAccounts(user);
  const { mutate, isPending } = useRemoveConsoleAccount(user);
  if (error !== null) return <p role="alert">{messageOf(error)}</p>;
  if (data === undefined) return <SkeletonRows rows={1} />;
  if (data.length === 0) return <p className={styles.note}>None yet.</p>;
  return (
    <ul aria-label="Accounts" className={styles.accounts}>
      {data.map((account) => (
        <li key={account.accountId}>
          <span>
            {account.name}, {account.connectionName}
          </span>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Remove ${account.name}`}
            loading={isPending}
            onClick={() => mutate(account)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Not a form of the contract: the account goes into the address of the call. */
function AddAccount({ user }: { user: ListedUser }) {
  const [provider, setProvider] = useState<ConsoleKind>('vac');
  const [accountId, setAccountId] = useState('');
  const { mutate, error, isPending } = useAddConsoleAccount(user);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (accountId.trim() !== '')
      mutate({ provider, accountId: accountId.trim() }, { onSuccess: () => setAccountId('') });
  };
  return (
    <form className={styles.invitation} onSubmit={send}>
      <NativeSelect
        label="Console"
        value={provider}
        data={CONSOLE_KINDS.map((value) => ({ value, label: CONSOLE_KIND_TEXTS[value] }))}
        onChange={({ currentTarget: { value } }) => setProvider(CONSOLE_KINDS.find((kind) => kind === value) ?? 'vac')}
      />
      <TextInput
        label="Account"
        data-autofocus
        description="Its user name or id in the console. It has to belong to a company that the user sees."
        autoComplete="off"
        value={accountId}
        maxLength={200}
        error={error === null ? undefined : messageOf(error)}
        onChange={({ currentTarget: { value } }) => setAccountId(value)}
      />
      <Button type="submit" loading={isPending} disabled={accountId.trim() === ''}>
        Give account
      </Button>
    </form>
  );
}
