import type { Installation } from '@keepwatch/contract/administration/dashboard';
import { DashboardPanel, type Reading } from '../kit/dashboard/dashboard-panel.tsx';
import { Fact, Facts } from '../kit/facts/facts.tsx';
import { Figure } from '../kit/facts/figure.tsx';
import { formatRelative } from '../kit/format/dates.ts';
import { formatBytes, formatCount } from '../kit/format/numbers.ts';
import { useClock } from '../kit/portal.tsx';
import styles from './admin-dashboard.module.css';

interface PanelProps {
  reading: Reading<Installation>;
}

export function QueuePanel({ reading }: PanelProps) {
  return (
    <DashboardPanel title="Queue" columns={4} bodyPx={200} reading={reading}>
      {({ queue: { waiting, running, failed, failing } }) => (
        <>
          <div className={styles.figures}>
            <Figure label="Waiting" value={formatCount(waiting)} hint="Jobs that could begin now" />
            <Figure label="Running" value={formatCount(running)} />
            <Figure label="Failed" value={formatCount(failed)} hint="Jobs that failed in the last day" />
          </div>
          <ul className={styles.list}>
            {failing.map((job) => (
              <li key={job.name} className={styles.line}>
                <span>{job.name}</span>
                <span className={styles.bad}>{formatCount(job.failed)} failed</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </DashboardPanel>
  );
}

export function WorkersPanel({ reading }: PanelProps) {
  const now = useClock().now();
  return (
    <DashboardPanel
      title="Workers"
      columns={8}
      bodyPx={200}
      reading={reading}
      emptyText={({ workers }) => (workers.length === 0 ? 'No worker has reported yet.' : null)}
    >
      {({ workers }) => (
        <ul className={styles.list}>
          {workers.map(({ name, version, isOnline, running, capacity, seenAt }) => (
            <li key={name} className={styles.line}>
              <span>
                {name} <span className={styles.muted}>{version}</span>
              </span>
              {isOnline ? (
                <span>
                  runs {running ?? 0} of {capacity ?? 0}
                </span>
              ) : (
                <span className={styles.bad}>
                  {seenAt === null ? 'never seen' : `last seen ${formatRelative(seenAt, now)}`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </DashboardPanel>
  );
}

export function StoragePanel({ reading }: PanelProps) {
  return (
    <DashboardPanel title="Storage" columns={8} bodyPx={132} narrowBodyPx={212} reading={reading}>
      {({ storage: { databaseBytes, disk } }) => (
        <div className={styles.figures} data-wide>
          <Figure label="Database" value={formatBytes(databaseBytes)} />
          {disk !== null && (
            <Figure
              label="Free on the disk"
              value={formatBytes(disk.freeBytes)}
              notes={[`of ${formatBytes(disk.totalBytes)}`]}
              hint="The disk of the data folder"
            />
          )}
        </div>
      )}
    </DashboardPanel>
  );
}

export function VersionsPanel({ reading }: PanelProps) {
  return (
    <DashboardPanel title="Versions" columns={4} bodyPx={132} reading={reading}>
      {({ versions: { portal, node, database } }) => (
        <div className={styles.padded}>
          <Facts>
            <Fact term="Portal">{portal}</Fact>
            <Fact term="PostgreSQL">{database}</Fact>
            <Fact term="Node">{node}</Fact>
          </Facts>
        </div>
      )}
    </DashboardPanel>
  );
}
