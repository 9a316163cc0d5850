import { Button } from '@mantine/core';
import { useState } from 'react';
import { o365Jobs } from '../../entities/places.ts';
import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { completeness } from '../points/completeness.ts';
import { type OrganizationRef, useNewestPoints, useRestoreSession, useStopSession } from '../points/points.data.ts';
import { SignInDialog } from '../points/sign-in-dialog.tsx';
import { type ChangeAddress, type ExplorerAddress, useExplorerAddress } from './address.ts';
import type { RestoreApplication } from './application.ts';
import { Browser } from './browser.tsx';
import styles from './explorer.module.css';
import { PointBar } from './point-bar.tsx';
import { useTray } from './use-tray.ts';

/** One of the four explorers of the restore portal: all that differs is in the declaration of its application. */
export function Explorer({ application }: { application: RestoreApplication }) {
  const [address, change] = useExplorerAddress();
  const names = useOrganizationNames();
  const organization = organizationOf(names.data, address.organization);
  if (names.data === undefined)
    return names.error === null ? (
      <SkeletonRows rows={10} />
    ) : (
      <ErrorState what="the organizations" error={names.error} onRetry={() => void names.refetch()} />
    );
  return <Opened key={organization?.id} application={application} organization={organization} address={address} change={change} />;
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

function Opened({ application, organization, address, change }: OpenedProps) {
  const [isSigningIn, setSigningIn] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const tray = useTray(organization?.id ?? '');
  const newest = useNewestPoints(organization);
  const points = (newest.data ?? []).filter(application.has);
  const datetime = address.point || (points[0]?.backupTime ?? '');
  const point = points.find(({ backupTime }) => Date.parse(backupTime) <= Date.parse(datetime)) ?? null;
  const isThere = organization !== null && datetime !== '' && !isStopped;
  const shown = isThere
    ? { organization, sessionType: application.sessionType, datetime, showDeleted: address.deleted }
    : null;
  const session = useRestoreSession(shown);
  const stop = useStopSession(() => setStopped(true));
  const { data } = session;
  return (
    <div className={styles.explorer}>
      <PointBar
        application={application}
        organizationId={organization?.id ?? null}
        onOrganization={(id) => change({ organization: id ?? '', point: '', at: [], open: '', search: '' })}
        points={points}
        point={point}
        datetime={datetime}
        onPoint={(at) => {
          setStopped(false);
          change({ point: at }, { push: true });
        }}
        showDeleted={address.deleted}
        onShowDeleted={(deleted) => change({ deleted })}
        search={address.search}
        onSearch={(search) => change({ search, open: '' })}
        allTime={address.all}
        onAllTime={(all) => change({ all })}
        session={isStopped ? undefined : data}
        onSignIn={() => setSigningIn(true)}
        onStop={() => data !== undefined && stop.mutate(data.id)}
      />
      {organization === null ? (
        <ChooseOrganization />
      ) : newest.error !== null ? (
        <ErrorState what="the restore points" error={newest.error} onRetry={() => void newest.refetch()} />
      ) : isStopped ? (
        <Stopped onOpen={() => setStopped(false)} />
      ) : newest.data !== undefined && datetime === '' ? (
        <NoPoints application={application} />
      ) : session.error !== null ? (
        <ErrorState what="the restore point" error={session.error} onRetry={() => void session.refetch()} />
      ) : data === undefined || shown === null ? (
        <SkeletonRows rows={10} />
      ) : (
        <>
          {data.isPartial && (
            <p className={styles.notice}>
              This restore point is {point?.isPartial === true ? completeness(point) : 'partial'}. What could not be read is as it was
              before.
            </p>
          )}
          <Browser
            application={application}
            organization={organization}
            session={data}
            tray={tray}
            address={address}
            change={change}
            onEnded={() => void session.refetch()}
            onSignedIn={(token) => session.change({ token })}
          />
        </>
      )}
      {isSigningIn && organization !== null && (
        <SignInDialog
          organization={organization}
          onSignedIn={(token) => {
            session.change({ token });
            setSigningIn(false);
          }}
          onClose={() => setSigningIn(false)}
        />
      )}
    </div>
  );
}

function ChooseOrganization() {
  return (
    <EmptyState title="Choose an organization" text="Choose above whose restore points you want to see. Only what has been backed up is shown." />
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
