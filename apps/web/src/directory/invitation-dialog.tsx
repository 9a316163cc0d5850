import { Button } from '@mantine/core';
import { CopyField } from '../kit/copy-field.tsx';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import type { Invited } from './users.data.ts';
import styles from './users.module.css';

/** The link with which a user sets a password. It is shown once, so Escape does not close it. */
export function InvitationDialog({ user, invitation, onClose }: Invited & { onClose: () => void }) {
  const { link, expiresAt, isMailed } = invitation;
  return (
    <Dialog staysAtEscape size="md" title={`Invite ${user.name}`} onClose={onClose}>
      <div className={styles.invitation}>
        <p>
          {isMailed
            ? `${user.email} gets a mail with a link to choose a password. You can also hand over this one.`
            : `No mail server is connected. Hand this link over to ${user.name}, who chooses a password with it.`}
        </p>
        <CopyField label="Link" text={link} />
        <p className={styles.note}>
          It opens once, until {formatDateTime(expiresAt)}, and is not shown again. The user name is {user.username}.
        </p>
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
