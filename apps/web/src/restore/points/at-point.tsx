import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import type { ReactNode } from 'react';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { type OrganizationRef, useRestoreSession } from './points.data.ts';
import type { RestoreToken } from './sign-in.data.ts';

interface AtPointProps {
  organization: OrganizationRef;
  /** The session of the restore point that is looked at. */
  session: RestoreSession;
  /** Another restore point; without: that one. */
  at: string | undefined;
  /** Also what the restore point no longer has. */
  withDeleted?: boolean;
  onSignedIn: (token: RestoreToken) => void;
  onClose: () => void;
  children: (session: RestoreSession, onSignedIn: (token: RestoreToken) => void) => ReactNode;
}

/** What is done with items as they were at another restore point is done in a session of that point. */
export function AtPoint({ at, withDeleted = false, children, ...given }: AtPointProps) {
  const { session } = given;
  const isShown = at === undefined && (session.showDeleted || !withDeleted);
  if (isShown) return children(session, given.onSignedIn);
  return (
    <InOwnSession {...given} at={at ?? session.datetime} withDeleted={withDeleted}>
      {children}
    </InOwnSession>
  );
}

type OwnProps = AtPointProps & { at: string; withDeleted: boolean };

function InOwnSession({ organization, session, at, withDeleted, onSignedIn, onClose, children }: OwnProps) {
  const { sessionType } = session;
  const opened = useRestoreSession({ organization, sessionType, datetime: at, showDeleted: withDeleted });
  if (opened.data !== undefined)
    return children(opened.data, (token) => {
      opened.change({ token });
      onSignedIn(token);
    });
  if (opened.error === null) return null;
  return (
    <Dialog title="Restore point" size="md" onClose={onClose}>
      <ErrorState what="the restore point" error={opened.error} onRetry={() => void opened.refetch()} />
    </Dialog>
  );
}
