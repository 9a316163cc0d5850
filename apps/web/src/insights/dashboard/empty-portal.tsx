import { listSources } from '@keepwatch/contract/sources/sources';
import { Link } from '@tanstack/react-router';
import { useAllows, useBranding } from '../../kit/portal.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useHasSynced } from './empty-portal.data.ts';

/** In the place of a dashboard without a single job: the way to the first one. */
export function EmptyPortal() {
  const mayConnect = useAllows(listSources.access);
  const hasSynced = useHasSynced();
  const { supportEmail } = useBranding();
  if (hasSynced) {
    return (
      <EmptyState title="No jobs yet" text="Console connected. Waiting for its first jobs.">
        {mayConnect && <Link to="/monitoring/sources">Look at the sources</Link>}
      </EmptyState>
    );
  }
  if (mayConnect) {
    return (
      <EmptyState
        title="Nothing is monitored yet"
        text="Connect the console that runs your backups, or let a tool such as restic or borg report by itself."
      >
        <Link to="/monitoring/sources">Connect a console</Link>
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
