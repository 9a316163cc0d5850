import { sources } from '../../entities/places.ts';
import { useBranding } from '../../kit/portal.tsx';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useHasSynced } from './empty-portal.data.ts';

/** In the place of a dashboard without a single job: the way to the first one. */
export default function EmptyPortal() {
  const mayConnect = useMayOpen(sources);
  const hasSynced = useHasSynced();
  const { supportEmail } = useBranding();
  if (hasSynced) {
    return (
      <EmptyState title="No jobs yet" text="Console connected. Waiting for its first jobs.">
        {mayConnect && <ScreenLink to={sources.at()}>Look at the sources</ScreenLink>}
      </EmptyState>
    );
  }
  if (mayConnect) {
    return (
      <EmptyState
        title="Nothing is monitored yet"
        text="Connect the console that runs your backups, or let a tool such as restic or borg report its runs."
      >
        <ScreenLink to={sources.at()}>Connect a console</ScreenLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing is monitored yet"
      text="No console is connected, and you may not connect one. Ask an administrator of your portal to do it."
    >
      {supportEmail !== null && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
    </EmptyState>
  );
}
