import { rolesGivenBy } from '@keepwatch/contract/directory/given-roles';
import type { ListedUser } from '@keepwatch/contract/directory/users';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useSession, useUser } from '../kit/portal.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';
import { ResetSecondFactors } from './reset-second-factors.tsx';
import { useImpersonate, useInviteUser } from './users.data.ts';
import styles from './users.module.css';

const EditUser = lazy(() => import('./edit-user.tsx'));
const SetPassword = lazy(() => import('./set-password.tsx'));
const ConsoleAccounts = lazy(() => import('./console-accounts.tsx'));
const DeleteUser = lazy(() => import('./delete-user.tsx'));

/** What can be done with a user, for those who may give all of that user's roles. */
export function UserActions({ user, onDeleted }: { user: ListedUser; onDeleted: () => void }) {
  const [open, setOpen] = useState<'edit' | 'password' | 'accounts' | 'delete' | null>(null);
  const { id: ownId, acl } = useUser();
  const { own } = useSession() ?? {};
  const invite = useInviteUser(user);
  const acting = useImpersonate(user);
  const givable = rolesGivenBy(acl.map(({ role }) => role));
  const close = () => setOpen(null);
  if (!user.acl.every(({ role }) => givable.includes(role))) return null;
  const isOther = user._id !== ownId;
  return (
    <div className={styles.actions}>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {isOther && user.state === 'active' && (
        <>
          {own === undefined && (
            <Button variant="default" size="compact-sm" loading={acting.isPending} onClick={() => acting.mutate()}>
              Sign in as this user
            </Button>
          )}
          {user.authType === 'db' && !user.signsInElsewhere && (
            <Button variant="default" size="compact-sm" loading={invite.isPending} onClick={() => invite.mutate()}>
              Invite again
            </Button>
          )}
          {!user.signsInElsewhere && (
            <Button variant="default" size="compact-sm" onClick={() => setOpen('password')}>
              Set password
            </Button>
          )}
        </>
      )}
      <Button variant="default" size="compact-sm" onClick={() => setOpen('accounts')}>
        Console accounts
      </Button>
      {isOther && <ResetSecondFactors user={user} />}
      {isOther && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      )}
      {invite.data !== undefined && (
        <InvitationDialog user={user} invitation={invite.data.data} onClose={invite.reset} />
      )}
      <Suspense fallback={null}>
        {open === 'edit' && <EditUser user={user} onClose={close} />}
        {open === 'password' && <SetPassword user={user} onClose={close} />}
        {open === 'accounts' && <ConsoleAccounts user={user} onClose={close} />}
        {open === 'delete' && <DeleteUser user={user} onClose={close} onDeleted={onDeleted} />}
      </Suspense>
    </div>
  );
}
