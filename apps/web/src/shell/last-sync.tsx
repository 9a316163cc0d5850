import type { getLastSync } from '@keepwatch/contract/monitoring/sources';
import { startSync } from '@keepwatch/contract/monitoring/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { ActionIcon, Button } from '@mantine/core';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { Panel } from '../kit/panel/panel.tsx';
import { useAllows } from '../kit/portal.tsx';
import { useNow } from '../kit/use-now.ts';
import { useLastSync, useStartSync } from './last-sync.data.ts';
import styles from './last-sync.module.css';

type Sync = CallReply<typeof getLastSync>;

const WORDS: Readonly<Record<Sync['status'], string>> = {
  SUCCEEDED: 'Synced',
  PARTIAL: 'Synced in part',
  FAILED: 'Sync failed',
  RUNNING: 'Syncing',
  NEVER: 'Never synced',
};

const NOTHING_MISSED = 'Nothing was left out.';

/** How fresh the figures are, what could not be read, and a sync by hand for those who may. */
export function LastSync() {
  const { data, error } = useLastSync();
  const mayStart = useAllows(startSync.access);
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
  const isTimed = sync.lastSync !== null && sync.status !== 'RUNNING';
  return (
    <Panel
      label="Last sync"
      align="end"
      trigger={(props) => (
        <Button {...props} variant="subtle" color="gray" className={styles.button} data-status={sync.status}>
          <span className={styles.dot} aria-hidden />
          {WORDS[sync.status]}
          {isTimed && <span className={styles.when}>{when}</span>}
        </Button>
      )}
    >
      {() => <Details sync={sync} />}
    </Panel>
  );
}

function Details({ sync }: { sync: Sync }) {
  return (
    <div className={styles.details}>
      <h2>{WORDS[sync.status]}</h2>
      <p className={styles.note}>Last sync: {sync.lastSync === null ? 'never' : formatDateTime(sync.lastSync)}</p>
      {sync.failed.length === 0 ? (
        <p className={styles.note}>{sync.status === 'NEVER' ? 'No source has been read yet.' : NOTHING_MISSED}</p>
      ) : (
        <>
          <p className={styles.note}>Could not be read:</p>
          <ul className={styles.failed}>
            {sync.failed.map((failed) => (
              <li key={`${failed.source} ${failed.entity} ${failed.externalId}`}>
                <strong>{failed.entity}</strong> of {failed.source}: {failed.reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
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
