import type { PortalBackups } from '@keepwatch/contract/administration/backups';
import { Button } from '@mantine/core';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import shared from '../page.module.css';
import { BackupList } from './backup-list.tsx';
import { useBackups, useStartBackup } from './backups.data.ts';
import styles from './backups.module.css';
import { PlanForm } from './plan-form.tsx';

/** Backups of the portal's own database. */
export default function BackupsScreen() {
  const { data, error, refetch } = useBackups();
  if (data === undefined && error !== null)
    return <ErrorState error={error} what="the backups" onRetry={() => void refetch()} />;
  if (data?.isAvailable === false)
    return (
      <EmptyState
        title="The database is backed up elsewhere"
        text="It is a server of its own (DATABASE_URL). Use its tools, such as pg_dump and pg_restore."
      />
    );
  return (
    <div className={shared.page} aria-busy={data === undefined}>
      {data !== undefined && <Backups data={data} />}
    </div>
  );
}

function Backups({ data }: { data: PortalBackups }) {
  const { running, failure, folder, backups, plan } = data;
  const start = useStartBackup();
  const action = (
    <Button loading={start.isPending} disabled={running !== null} onClick={() => start.mutate()}>
      Back up now
    </Button>
  );
  return (
    <>
      <div className={styles.top}>
        <p className={shared.hint}>
          Backups are in {folder} on the portal’s own machine: copy them to another one. The key of the stored secrets
          is not in them. Keep it apart (KEEPWATCH_SECRET, or the file “secret” in the data folder): without it the
          passwords and keys that a backup contains cannot be read, and a restored portal needs it.
        </p>
        <div aria-live="polite">
          {running !== null && <Running {...running} />}
          {running === null && failure !== null && (
            <p className={styles.failure}>
              The last backup failed on {formatDateTime(failure.at)}: {failure.message}
            </p>
          )}
        </div>
      </div>
      <BackupList backups={backups} action={action} />
      <section className={styles.plan} aria-label="Schedule">
        <h2>Schedule</h2>
        <PlanForm plan={plan} />
      </section>
    </>
  );
}

function Running({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }) {
  const ratio = totalBytes === 0 ? null : Math.min(0.99, doneBytes / totalBytes);
  const text =
    ratio === null
      ? 'A backup is about to begin.'
      : `A backup is being made: ${formatBytes(doneBytes)} of about ${formatBytes(totalBytes)}.`;
  return <ProgressBar tone="running" ratio={ratio} text={text} />;
}
