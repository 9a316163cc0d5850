import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { Button } from '@mantine/core';
import { DeviceCode, isExpired, isPending } from '../../entities/device-code.tsx';
import { messageOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import styles from '../restore.module.css';
import type { OrganizationRef } from './points.data.ts';
import { type RestoreToken, useConfirmCode, useRestoreCode } from './sign-in.data.ts';

interface SignInProps {
  organization: OrganizationRef;
  onSignedIn: (token: RestoreToken) => void;
}

/** Signs in at Microsoft before anything is restored. */
export function SignInDialog({ onClose, ...props }: SignInProps & { onClose: () => void }) {
  return (
    <Dialog title="Sign in to restore" size="md" onClose={onClose}>
      <SignIn {...props} />
    </Dialog>
  );
}

/** The code, and what it proves. */
export function SignIn({ organization, onSignedIn }: SignInProps) {
  const code = useRestoreCode(organization);
  const confirm = useConfirmCode(organization);
  const refusal = confirm.error;
  const isRefused = refusal !== null && !isPending(refusal) && !isExpired(refusal);
  const ask = () => {
    if (code.data !== undefined) confirm.mutate(code.data.userCode, { onSuccess: onSignedIn });
  };
  const again = () => {
    confirm.reset();
    void code.refetch();
  };
  return (
    <div className={styles.step}>
      <p className={styles.note}>
        Microsoft confirms who restores: an administrator of the organization may restore everything, anyone else their
        own mailbox and OneDrive to where they were. Browsing and downloads work without it.
      </p>
      <DeviceCode read={code} attempt={{ ask, isAsking: confirm.isPending, error: refusal }} />
      {isRefused && (
        <div role="alert" className={styles.error}>
          <p>{messageOf(refusal)}</p>
          <Button variant="default" onClick={again}>
            Get a new code
          </Button>
        </div>
      )}
    </div>
  );
}

/** `Signed in as ada@contoso.com (administrator)`. */
export function signedInText({ account, role }: NonNullable<RestoreSession['token']>): string {
  return `Signed in as ${account} (${role === 'administrator' ? 'administrator' : 'own data only'})`;
}
