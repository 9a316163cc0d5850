import { ActionIcon, Button } from '@mantine/core';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { lazy, Suspense } from 'react';
import { formatRelative } from '../kit/format/dates.ts';
import { Panel } from '../kit/panel/panel.tsx';
import { useAllows, useLostAt, useUser } from '../kit/portal.tsx';
import { useNow } from '../kit/use-now.ts';
import { hasUnassigned, type Sync, useLastSync, useStartSync } from './last-sync.data.ts';
import styles from './last-sync.module.css';

const LastSyncDetails = lazy(() => import('./last-sync-details.tsx'));

const WORDS: Readonly<Record<Sync['status'], string>> = {
  SUCCEEDED: 'Synced',
  PARTIAL: 'Synced in part',
  FAILED: 'Sync failed',
  RUNNING: 'Syncing',
  NEVER: 'Never synced',
};

/** Nothing to users who have to choose a password or add a second factor first: no figures are open to them. */
export function LastSync() {
  const { passwordReset, secondFactorNeeded } = useUser();
  return passwordReset || secondFactorNeeded ? null : <Freshness />;
}

/** How fresh the figures are, what could not be read, and a sync by hand for those who may. */
function Freshness() {
  const { data, error } = useLastSync();
  const mayStart = useAllows(['monitoring.sources', 'monitoring.job-actions']);
  if (data === undefined) return <span className={styles.waiting}>{error === null ? '' : 'Last sync unknown'}</span>;
  return (
    <>
      <Status sync={data} />
      {mayStart && <SyncNow isRunning={data.status === 'RUNNING'} />}
    </>
  );
}

function Status({ sync }: { sync: Sync }) {
  const when = useNow((now) => formatRelative(sync.lastSync, now));
  const isOffline = useLostAt() !== null;
  const isTimed = sync.lastSync !== null && sync.status !== 'RUNNING' && !isOffline;
  return (
    <Panel
      label="Last sync"
      align="end"
      trigger={(props) => (
        <Button
          {...props}
          variant="subtle"
          color="gray"
          className={styles.button}
          data-warned={hasUnassigned(sync) || undefined}
          data-status={isOffline ? 'OFFLINE' : sync.status}
        >
          <span className={styles.dot} aria-hidden />
          <span className={styles.words}>
            {isOffline ? 'Offline' : WORDS[sync.status]}
            {isTimed && <span className={styles.when}>{when}</span>}
          </span>
        </Button>
      )}
    >
      {() => (
        <Suspense fallback={null}>
          <LastSyncDetails sync={sync} title={WORDS[sync.status]} />
        </Suspense>
      )}
    </Panel>
  );
}

function SyncNow({ isRunning }: { isRunning: boolean }) {
  const { mutate, isPending } = useStartSync();
  return (
    <ActionIcon aria-label="Sync now" title="Sync now" disabled={isRunning || isPending} onClick={() => mutate()}>
      <IconRefresh size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
