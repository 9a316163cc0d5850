import type { BackgroundDownload } from '@keepwatch/contract/restore/downloads';
import { Button } from '@mantine/core';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import styles from '../restore.module.css';
import { DownloadStatus } from './download-columns.tsx';
import { isActive, useCancelDownload, useDeleteDownload, useDownload, useSaveDownload } from './downloads.data.ts';

/** One background download: saved, cancelled, removed. */
export function DownloadPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useDownload(id);
  return (
    <SidePanel noun="download" read={read} titleOf={({ fileName }) => fileName} onClose={onClose}>
      {(download) => <DownloadFacts download={download} onRemoved={onClose} />}
    </SidePanel>
  );
}

function Saving({ percent, onStop }: { percent: number; onStop: () => void }) {
  return (
    <>
      <ProgressBar ratio={percent / 100} tone="running" text={`Saving · ${percent} %`} />
      <Button variant="default" onClick={onStop}>
        Stop saving
      </Button>
    </>
  );
}

function DownloadFacts({ download, onRemoved }: { download: BackgroundDownload; onRemoved: () => void }) {
  const [cancel, remove, save] = [useCancelDownload(), useDeleteDownload(), useSaveDownload()];
  const { status, sizeBytes, sha256, organizationName, createdAt, finishedAt, expiresAt, missing, message } = download;
  return (
    <div className={styles.step}>
      <DownloadStatus download={download} />
      {message !== null && (
        <p role="alert" className={styles.error}>
          {message}
        </p>
      )}
      {missing > 0 && (
        <p className={styles.error}>{formatCounted(missing, 'item is', 'items are')} not in it: they cannot be read.</p>
      )}
      <div className={styles.actions}>
        {status === 'finished' &&
          (save.isPending ? (
            <Saving percent={save.percent} onStop={save.stop} />
          ) : (
            <Button onClick={() => save.mutate(download)}>Save file</Button>
          ))}
        {isActive(download) ? (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(download)}>
            Cancel
          </Button>
        ) : (
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate(download, { onSuccess: onRemoved })}
          >
            Remove
          </Button>
        )}
      </div>
      <Facts>
        <Fact term="Organization">{organizationName}</Fact>
        <Fact term="Size">{formatBytes(sizeBytes)}</Fact>
        <Fact term="Created">{formatDateTime(createdAt)}</Fact>
        <Fact term="Finished">{formatDateTime(finishedAt)}</Fact>
        <Fact term="Expires">{formatDateTime(expiresAt)}</Fact>
        <Fact term="SHA-256">{sha256}</Fact>
      </Facts>
    </div>
  );
}
