import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { lazy, Suspense } from 'react';
import { AtPoint } from '../points/at-point.tsx';
import type { OrganizationRef } from '../points/points.data.ts';
import type { RestoreToken } from '../points/sign-in.data.ts';
import type { RestoreApplication } from './application.ts';
import type { Entry } from './entry.ts';

const RestoreDialog = lazy(() =>
  import('../operations/restore-dialog.tsx').then(({ RestoreDialog: part }) => ({ default: part })),
);
const DownloadDialog = lazy(() =>
  import('../downloads/download-dialog.tsx').then(({ DownloadDialog: part }) => ({ default: part })),
);

/** What is done with some entries. */
export interface Act {
  kind: 'restore' | 'download';
  entries: readonly Entry[];
  /** Of one file: the label of the version that becomes the current one. */
  earlierVersion?: string;
  /** The restore point that has them; without: the one that is looked at. */
  at?: string;
  /** Some of them are gone at that restore point, and an earlier one has them. */
  withDeleted?: boolean;
}

interface ActingProps {
  application: RestoreApplication;
  organization: OrganizationRef;
  session: RestoreSession;
  act: Act;
  onSignedIn: (token: RestoreToken) => void;
  onClose: () => void;
}

/** The dialog of what is done. */
export function Acting({ application, act, onClose, ...given }: ActingProps) {
  const { kind, entries, at, withDeleted = false, earlierVersion } = act;
  return (
    <AtPoint {...given} at={at} withDeleted={withDeleted} onClose={onClose}>
      {(session, onSignedIn) => (
        <Suspense>
          {kind === 'restore' ? (
            <RestoreDialog
              {...{ application, organization: given.organization, session, entries, onSignedIn, onClose }}
              earlierVersion={earlierVersion}
            />
          ) : (
            <DownloadDialog {...{ application, entries, onClose }} sessionId={session.id} />
          )}
        </Suspense>
      )}
    </AtPoint>
  );
}
