import type { getLastSync } from '@keepwatch/contract/monitoring/sources';
import { startSync } from '@keepwatch/contract/monitoring/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { Button } from '@mantine/core';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { Panel } from '../kit/panel/panel.tsx';
import { useAllows, useClock } from '../kit/portal.tsx';
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

/** How fresh the figures are; opened, what could not be read, and a sync by hand for those who may. */
export function LastSync() {
  const { data, error } = useLastSync();
  const clock = useClock();
  if (data === undefined) return <span className={styles.waiting}>{error === null ? '' : 'Last sync unknown'}</span>;
  const isTimed = data.lastSync !== null && data.status !== 'RUNNING';
  return (
    <Panel
      label="Last sync"
      align="end"
      trigger={(props) => (
        <Button {...props} variant="subtle" color="gray" className={styles.button} data-status={data.status}>
          <span className={styles.dot} aria-hidden />
          <span>
            {WORDS[data.status]}
            {isTimed && <span className={styles.when}> {formatRelative(data.lastSync, clock.now())}</span>}
          </span>
        </Button>
      )}
    >
      {(close) => <Details sync={data} onClose={close} />}
    </Panel>
  );
}

function Details({ sync, onClose }: { sync: Sync; onClose: () => void }) {
  const { mutate, isPending } = useStartSync();
  const mayStart = useAllows(startSync.access);
  return (
    <div className={styles.details}>
      <h2>{WORDS[sync.status]}</h2>
      <p className={styles.note}>Last sync: {sync.lastSync === null ? 'never' : formatDateTime(sync.lastSync)}</p>
      {sync.failed.length > 0 && (
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
      {mayStart && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isPending}
          disabled={sync.status === 'RUNNING'}
          onClick={() => mutate(undefined, { onSettled: onClose })}
        >
          Sync now
        </Button>
      )}
    </div>
  );
}
