import type { getLastSync } from '@keepwatch/contract/sources/sources';
import { startSync } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { ActionIcon, Button } from '@mantine/core';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { Panel } from '../kit/panel/panel.tsx';
import { useAllows, useLostAt } from '../kit/portal.tsx';
import { useNow } from '../kit/use-now.ts';
import { useLastSync, useStartSync } from './last-sync.data.ts';
import styles from './last-sync.module.css';
import { hasUnassigned, UnassignedRuns } from './unassigned-runs.tsx';

type Sync = CallReply<typeof getLastSync>;

const WORDS: Readonly<Record<Sync['status'], string>> = {
  SUCCEEDED: 'Synced',
  PARTIAL: 'Synced in part',
  FAILED: 'Sync failed',
  RUNNING: 'Syncing',
  NEVER: 'Never synced',
};

const SENTENCES: Readonly<Record<Sync['status'], string>> = {
  SUCCEEDED: 'All sources were read completely.',
  PARTIAL: 'Some data could not be read.',
  FAILED: 'The sources could not be read.',
  RUNNING: 'The sources are being read.',
  NEVER: 'No source has been read yet.',
};
/** Said instead where runs that were read belong to no job for certain. */
const READ_BUT = 'All sources were read, but:';

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
          {isOffline ? 'Offline' : WORDS[sync.status]}
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
        <p className={styles.note}>{sentenceOf(sync)}</p>
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
      {hasUnassigned(sync) && <UnassignedRuns sync={sync} />}
    </div>
  );
}

function sentenceOf(sync: Sync): string {
  return sync.status === 'SUCCEEDED' && hasUnassigned(sync) ? READ_BUT : SENTENCES[sync.status];
}

function SyncNow({ isRunning }: { isRunning: boolean }) {
  const { mutate, isPending } = useStartSync();
  return (
    <ActionIcon aria-label="Sync now" title="Sync now" disabled={isRunning || isPending} onClick={() => mutate()}>
      <IconRefresh size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
