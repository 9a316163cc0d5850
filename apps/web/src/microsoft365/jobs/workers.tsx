import type { listProxies } from '@keepwatch/contract/microsoft365/jobs';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { o365Jobs } from '../../entities/places.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime, formatRelative } from '../../kit/format/dates.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { useNow } from '../../kit/use-now.ts';
import styles from '../microsoft365.module.css';
import { useWorkers } from './jobs.data.ts';

type Worker = CallReply<typeof listProxies>['data'][number];

/** The machines of this portal that back up: whether each is there, and what it does now. */
export default function Workers({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useWorkers();
  return (
    <Dialog size="md" title="Workers" onClose={onClose}>
      <div className={styles.panel} aria-busy={data === undefined && error === null}>
        {data === undefined && error === null && <SkeletonRows rows={4} />}
        {data === undefined && error !== null && (
          <ErrorState what="the workers" error={error} onRetry={() => void refetch()} />
        )}
        {data?.length === 0 && (
          <p className={styles.note}>No worker has started yet. Jobs wait until the worker of this portal runs.</p>
        )}
        {data?.map((worker) => (
          <WorkerFacts key={worker.id} worker={worker} />
        ))}
      </div>
    </Dialog>
  );
}

function WorkerFacts({
  worker: { name, pool, version, isOnline, seenAt, running, capacity, runs },
}: {
  worker: Worker;
}) {
  const seen = useNow((now) => formatRelative(seenAt, now));
  return (
    <Facts title={name}>
      <Fact term="State">
        <span title={formatDateTime(seenAt)}>{isOnline ? 'Online' : `Offline, last seen ${seen}`}</span>
      </Fact>
      <Fact term="Load">{loadText(running, capacity)}</Fact>
      <Fact term="Runs">
        {runs.length === 0 ? null : (
          <ul aria-label={`Runs of ${name}`}>
            {runs.map(({ jobId, jobName, organizationName }) => (
              <li key={jobId}>
                <ScreenLink to={o365Jobs.at({ open: jobId })}>{jobName}</ScreenLink> {organizationName}
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact term="Pool">{pool}</Fact>
      <Fact term="Version">{version}</Fact>
    </Facts>
  );
}

/** Runs of all organizations, also of those that are not the user's. */
function loadText(running: number | null, capacity: number | null): string | null {
  if (running === null) return null;
  return capacity === null ? formatCount(running) : `${formatCount(running)} of ${formatCount(capacity)} places`;
}
