import type { BackgroundDownload } from '@keepwatch/contract/restore/downloads';
import type { Tone } from '../../kit/badges/badge.tsx';
import type { Column } from '../../kit/data-table/column.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import { ProgressBar } from '../../kit/progress-bar.tsx';

export const STATUS_WORDS: Readonly<Record<BackgroundDownload['status'], readonly [word: string, tone: Tone]>> = {
  queued: ['Waiting', 'neutral'],
  running: ['Running', 'running'],
  finished: ['Ready', 'success'],
  failed: ['Failed', 'failed'],
  cancelled: ['Cancelled', 'neutral'],
  expired: ['Expired', 'neutral'],
};

/** How far a file is. */
export function DownloadStatus({ download }: { download: BackgroundDownload }) {
  const { status, bytes, items, totalItems } = download;
  const [word, tone] = STATUS_WORDS[status];
  const ratio = status === 'finished' ? 1 : totalItems === null || totalItems === 0 ? null : items / totalItems;
  const progress = totalItems === null ? formatBytes(bytes) : `${formatCount(items)} of ${formatCount(totalItems)}`;
  return <ProgressBar ratio={ratio} tone={tone} text={status === 'running' ? `${word} · ${progress}` : word} />;
}

export const DOWNLOAD_COLUMNS: readonly Column<BackgroundDownload>[] = [
  { key: 'fileName', title: 'File', width: 'minmax(180px, 3fr)', cell: ({ fileName }) => fileName },
  {
    key: 'status',
    title: 'Status',
    width: 'minmax(130px, 1fr)',
    cell: (download) => <DownloadStatus download={download} />,
  },
  {
    key: 'organization',
    title: 'Organization',
    width: 'minmax(110px, 1fr)',
    minTableWidthPx: 760,
    cell: ({ organizationName }) => organizationName,
  },
  {
    key: 'size',
    title: 'Size',
    width: '90px',
    align: 'end',
    minTableWidthPx: 440,
    cell: ({ sizeBytes }) => formatBytes(sizeBytes),
  },
  {
    key: 'created',
    title: 'Created',
    width: '150px',
    minTableWidthPx: 620,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'expires',
    title: 'Expires',
    width: '150px',
    minTableWidthPx: 900,
    cell: ({ expiresAt }) => formatDateTime(expiresAt),
  },
];
