import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { restoreDownloads } from '../../entities/places.ts';
import { messageOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/dialog/dialog.tsx';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import {
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadRequest,
  type RestoreApplication,
} from '../explorer/application.ts';
import type { Entry } from '../explorer/entry.ts';
import { namesOf } from '../explorer/pages.ts';
import { Refused, refusedOf } from '../explorer/refused.tsx';
import styles from '../restore.module.css';
import { useBeginDownloads, useDownloadSize } from './downloads.data.ts';

interface DownloadDialogProps {
  application: RestoreApplication;
  sessionId: string;
  entries: readonly Entry[];
  onClose: () => void;
}

const FORMAT_WORDS: Readonly<Record<DownloadFormat, string>> = {
  pst: 'PST, for Outlook',
  msg: 'MSG, one message for Outlook',
  eml: 'EML, one message for any mail program',
  zip: 'ZIP, a file for each',
};

/** Saves what was chosen as a file: format and size are said before it begins. */
export function DownloadDialog({ application, sessionId, entries, onClose }: DownloadDialogProps) {
  const requests = useMemo(() => application.downloadsOf(entries), [application, entries]);
  return (
    <Dialog title={`Download ${namesOf(entries)}`} size="md" isForm onClose={onClose}>
      <Refused refused={refusedOf(application.refusesDownload, entries)} verb="downloaded" />
      {requests.length > 0 && (
        <Download
          sessionId={sessionId}
          requests={requests}
          name={namesOf(entries)}
          atOnceBytesMax={application.atOnceBytesMax ?? Number.POSITIVE_INFINITY}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface DownloadProps {
  sessionId: string;
  requests: readonly DownloadRequest[];
  name: string;
  atOnceBytesMax: number;
  onClose: () => void;
}

function Download({ sessionId, requests, name, atOnceBytesMax, onClose }: DownloadProps) {
  const formats = DOWNLOAD_FORMATS.filter((known) => requests.every((request) => request.formats.includes(known)));
  const [format, setFormat] = useState<DownloadFormat>(formats[0] ?? 'zip');
  const [fileName, setFileName] = useState(() => fileNameOf(name));
  const { size, isWaiting, error } = useDownloadSize(sessionId, requests);
  const begin = useBeginDownloads(sessionId);
  const start = (downloadInBackground: boolean) =>
    begin.mutate(
      { requests, wish: { format, fileName: fileName.trim(), downloadInBackground } },
      { onSuccess: (begun) => begun.length === 0 && onClose() },
    );
  const isLarge = size !== null && size.sizeBytes > atOnceBytesMax;
  const isNamed = fileName.trim() !== '';
  if (begin.data !== undefined && begin.data.length > 0) return <Begun count={begin.data.length} onClose={onClose} />;
  return (
    <div className={styles.step}>
      <p aria-live="polite" className={styles.note}>
        {error !== null ? messageOf(error) : sizeText(size, isWaiting, requests.length)}
      </p>
      <NativeSelect
        label="Format"
        value={format}
        data={formats.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
        onChange={(event) => setFormat(formats.find((known) => known === event.currentTarget.value) ?? 'zip')}
      />
      <TextInput
        label="File name"
        maxLength={200}
        value={fileName}
        onChange={(event) => setFileName(event.currentTarget.value)}
      />
      {begin.error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(begin.error)}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          variant={isLarge ? 'filled' : 'default'}
          disabled={!isNamed || begin.isPending}
          onClick={() => start(true)}
        >
          Make in the background
        </Button>
        <Button disabled={!isNamed || isLarge} loading={begin.isPending} onClick={() => start(false)}>
          Download now
        </Button>
      </div>
      {isLarge && (
        <p className={styles.note}>Larger than {formatBytes(atOnceBytesMax)}: it is made in the background.</p>
      )}
    </div>
  );
}

function sizeText(size: { items: number; sizeBytes: number } | null, isWaiting: boolean, files: number): string {
  const several = files === 1 ? '' : ` in ${files} files`;
  if (isWaiting) return 'Computing the size…';
  if (size === null) return `The size is not known before${several}.`;
  return `${formatCounted(size.items, 'item', 'items')} · about ${formatBytes(size.sizeBytes)}${several}`;
}

function Begun({ count, onClose }: { count: number; onClose: () => void }) {
  return (
    <div className={styles.step}>
      <p role="status" className={styles.note}>
        {count === 1 ? 'The file is being made' : `${count} files are being made`}. Follow it under{' '}
        <ScreenLink to={restoreDownloads.at()}>Restore downloads</ScreenLink>.
      </p>
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

/** What file systems accept. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[\\/:*?"<>|]/g, '-').slice(0, 120);
}
