import { hasFeature } from '@keepwatch/contract/microsoft365/engines';
import type { RestorePoint } from '@keepwatch/contract/restore/sessions';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { o365Jobs, organizationWizard } from '../../entities/places.ts';
import { useAllows } from '../../kit/portal.tsx';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { completeness } from '../points/completeness.ts';
import { type OrganizationRef, useNewestPoints, useRestoreSession, useStopSession } from '../points/points.data.ts';
import type { RestoreToken } from '../points/sign-in.data.ts';
import { type ChangeAddress, type ExplorerAddress, useExplorerAddress } from './address.ts';
import type { RestoreApplication } from './application.ts';
import { Browser } from './browser.tsx';
import type { Entry } from './entry.ts';
import styles from './explorer.module.css';
import { PointBar } from './point-bar.tsx';
import { useStoredTray, useTrayKey } from './stored-tray.ts';
import { useTray } from './use-tray.ts';

const SignInDialog = lazy(() =>
  import('../points/sign-in-dialog.tsx').then(({ SignInDialog: component }) => ({ default: component })),
);

/** One of the four explorers of the restore portal: all that differs is in the declaration of its application. */
export function Explorer({ application }: { application: RestoreApplication }) {
  const [address, change] = useExplorerAddress();
  const names = useOrganizationNames();
  const restorable = names.data?.filter(({ engine }) => hasFeature(engine, 'restore'));
  const organization = organizationOf(restorable, address.organization);
  if (names.data === undefined)
    return names.error === null ? (
      <SkeletonRows rows={10} />
    ) : (
      <ErrorState what="the organizations" error={names.error} onRetry={() => void names.refetch()} />
    );
  return (
    <Opened
      key={organization?.id}
      application={application}
      organization={organization}
      isNone={restorable?.length === 0}
      address={address}
      change={change}
    />
  );
}

/** The one that the address names, or the only one. */
function organizationOf(names: readonly OrganizationRef[] | undefined, id: string): OrganizationRef | null {
  if (names === undefined) return null;
  if (id !== '') return names.find((organization) => organization.id === id) ?? null;
  const [only, ...others] = names;
  return only !== undefined && others.length === 0 ? only : null;
}

interface OpenedProps {
  application: RestoreApplication;
  organization: OrganizationRef | null;
  address: ExplorerAddress;
  change: ChangeAddress;
}

/** What is asked for in the bar, and what there is of it. */
function Opened({ application, organization, isNone, address, change }: OpenedProps & { isNone: boolean }) {
  const [isSigningIn, setSigningIn] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const newest = useNewestPoints(organization);
  const points = (newest.data ?? []).filter(application.has);
  const datetime = address.point || (points[0]?.backupTime ?? '');
  const point = points.find(({ backupTime }) => Date.parse(backupTime) <= Date.parse(datetime)) ?? null;
  const other =
    points.find(({ backupTime }) => Date.parse(backupTime) < Date.parse(point?.backupTime ?? '')) ?? points.at(-1);
  const otherPoint = other === undefined || other === point ? null : other.backupTime;
  const newestPoint = points[0]?.backupTime ?? datetime;
  const isThere = datetime !== '' && !isStopped;
  const shown =
    organization === null || !isThere
      ? null
      : { organization, sessionType: application.sessionType, datetime, showDeleted: address.deleted };
  const session = useRestoreSession(shown);
  const trayKey = useTrayKey(application.sessionType, organization?.id);
  const stop = useStopSession(() => {
    sessionStorage.removeItem(trayKey);
    setStopped(true);
  });
  const onPoint = (at: string) => {
    setStopped(false);
    change({ point: at }, { push: true });
  };
  const signedIn = (token: RestoreToken) => {
    session.change({ token });
    setSigningIn(false);
  };
  return (
    <div className={styles.explorer}>
      <PointBar
        application={application}
        organizationId={organization?.id ?? null}
        {...{ points, point, datetime, address, change, onPoint }}
        session={isThere ? session.data : undefined}
        onSignIn={() => setSigningIn(true)}
        onStop={() => session.data !== undefined && stop.mutate(session.data.id)}
      />
      {isNone ? (
        <NoOrganizations />
      ) : organization === null ? (
        <ChooseOrganization />
      ) : isStopped ? (
        <Stopped onOpen={() => setStopped(false)} />
      ) : newest.data !== undefined && datetime === '' ? (
        <NoPoints application={application} />
      ) : newest.error !== null ? (
        <ErrorState what="the restore points" error={newest.error} onRetry={() => void newest.refetch()} />
      ) : (
        <Content
          {...{ application, organization, address, change, point, otherPoint, newestPoint, session, trayKey }}
        />
      )}
      {isSigningIn && organization !== null && (
        <Suspense>
          <SignInDialog organization={organization} onSignedIn={signedIn} onClose={() => setSigningIn(false)} />
        </Suspense>
      )}
    </div>
  );
}

interface ContentProps extends OpenedProps {
  organization: OrganizationRef;
  point: RestorePoint | null;
  /** The one before it, or another one where it is the first. */
  otherPoint: string | null;
  newestPoint: string;
  session: ReturnType<typeof useRestoreSession>;
  trayKey: string;
}

const NOTHING_UNFOLDED: ReadonlyMap<string, Entry> = new Map();

/** The restore point once its session is open. Selection and unfolded nodes stay when another point is opened. */
function Content({ point, session, trayKey, ...given }: ContentProps) {
  const tray = useTray(useStoredTray(trayKey), session.data?.datetime);
  const unfolding = useState<ReadonlyMap<string, Entry>>(NOTHING_UNFOLDED);
  const { data, error, refetch } = session;
  if (data === undefined)
    return error === null ? (
      <SkeletonRows rows={10} />
    ) : (
      <ErrorState what="the restore point" error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      {data.isPartial && (
        <p className={styles.notice}>
          This restore point is {point?.isPartial === true ? completeness(point) : 'partial'}. What could not be read is
          as it was before.
        </p>
      )}
      <Browser
        {...given}
        {...{ tray, unfolding }}
        session={data}
        onEnded={() => void refetch()}
        onSignedIn={(token) => session.change({ token })}
      />
    </>
  );
}

/** Restore operators, who cannot connect one, ask those who can. */
function NoOrganizations() {
  const canConnect = useAllows('o365.organizations');
  return (
    <EmptyState
      title="No organizations yet"
      text={
        canConnect
          ? 'What has been backed up of an organization is restored here: connect one first.'
          : 'There is no organization that you may restore from. Ask your administrator for a restore operator role.'
      }
    >
      {canConnect && <ScreenLink to={organizationWizard.at({ _splat: '1' })}>Connect organization</ScreenLink>}
    </EmptyState>
  );
}

function ChooseOrganization() {
  return (
    <EmptyState
      title="Choose an organization"
      text="Choose above whose restore points you want to see. Only what has been backed up is shown."
    />
  );
}

function NoPoints({ application: { objects } }: { application: RestoreApplication }) {
  return (
    <EmptyState
      title="No restore points"
      text={`No run of a job has backed up ${objects.many} of this organization yet. Start a job that covers them.`}
    >
      <ScreenLink to={o365Jobs.at()}>Jobs</ScreenLink>
    </EmptyState>
  );
}

function Stopped({ onOpen }: { onOpen: () => void }) {
  return (
    <EmptyState
      title="The restore session has been stopped"
      text="Restores and downloads that were begun in it continue under Restore downloads."
    >
      <Button variant="default" onClick={onOpen}>
        Open a session
      </Button>
    </EmptyState>
  );
}
