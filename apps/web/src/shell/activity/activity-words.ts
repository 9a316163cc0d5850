import type { Microsoft365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { BackgroundDownload } from '@keepwatch/contract/restore/downloads';
import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import { o365Jobs, restoreDownload, restoreDownloads } from '../../entities/places.ts';
import type { Tone } from '../../kit/badges/badge.tsx';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import type { Target } from '../../kit/place.ts';

/** One thing that is, or was, under way, whatever it is. */
export interface Activity {
  kind: 'run' | 'restore' | 'download';
  id: string;
  name: string;
  organizationId: string;
  organizationName: string;
  isUnderWay: boolean;
  isEnding: boolean;
  tone: Tone;
  /** 0 to 1; `null`: not known. */
  ratio: number | null;
  text: string;
  beganAt: string;
  /** When it ends, as far as that can be said. */
  expectedEnd: string | null;
  to: Target;
}

interface Lists {
  jobs: readonly Microsoft365Job[];
  operations: readonly RestoreOperation[];
  downloads: readonly BackgroundDownload[];
}

/** What is under way first, and of each the latest. */
export function activitiesOf({ jobs, operations, downloads }: Lists): Activity[] {
  const restores = operations.filter(({ isPlan }) => !isPlan);
  const all = [...jobs.flatMap(runOf), ...restores.map(restoreOf), ...downloads.map(downloadOf)];
  return all.toSorted(
    (one, other) =>
      Number(other.isUnderWay) - Number(one.isUnderWay) || Date.parse(other.beganAt) - Date.parse(one.beganAt),
  );
}

function runOf({ id, name, organizationId, organizationName, lastSession }: Microsoft365Job): Activity[] {
  if (lastSession?.status !== 'Running') return [];
  const { progress, isStopped, creationTime, expectedEndTime, proxyName, statistics } = lastSession;
  const rate = statistics.processingRateBytesPS;
  const begin = proxyName === null ? 'Waiting for a worker' : 'Running';
  const parts = [progress === null ? begin : `${progress}%`, rate === null ? '' : `${formatBytes(rate)}/s`];
  return [
    {
      ...{
        kind: 'run',
        id,
        name,
        organizationId,
        organizationName,
        isUnderWay: true,
        isEnding: isStopped,
        tone: 'running',
      },
      ratio: progress === null ? null : progress / 100,
      text: isStopped ? 'Stopping' : parts.filter((part) => part !== '').join(' · '),
      beganAt: creationTime,
      expectedEnd: isStopped ? null : expectedEndTime,
      to: o365Jobs.at({ open: id }),
    },
  ];
}

const RESTORE_TONES: Readonly<Record<RestoreOperation['state'], Tone>> = {
  Queued: 'neutral',
  Running: 'running',
  Success: 'success',
  Warning: 'warning',
  Failed: 'failed',
  Cancelled: 'neutral',
};

function restoreOf(operation: RestoreOperation): Activity {
  const { id, name, organizationId, organizationName, state, isCancelling, createdAt, done, total } = operation;
  const isUnderWay = state === 'Queued' || state === 'Running';
  return {
    ...{ kind: 'restore', id, name, organizationId, organizationName, isUnderWay, isEnding: isCancelling },
    tone: RESTORE_TONES[state],
    ratio: isUnderWay ? ratioOf(done, total) : 1,
    text:
      isCancelling && isUnderWay ? 'Cancelling' : state === 'Queued' ? 'Waiting for a worker' : stateText(operation),
    beganAt: createdAt,
    expectedEnd: null,
    to: restoreDownloads.at({ view: 'restores', open: id }),
  };
}

function stateText({ state, done, total, bytes }: RestoreOperation): string {
  if (state !== 'Running') return state;
  return `${doneText(done, total)} · ${formatBytes(bytes)}`;
}

function doneText(done: number, total: number | null): string {
  return total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
}

const DOWNLOAD_WORDS: Readonly<Record<BackgroundDownload['status'], readonly [word: string, tone: Tone]>> = {
  queued: ['Waiting for a worker', 'neutral'],
  running: ['Running', 'running'],
  finished: ['Ready', 'success'],
  failed: ['Failed', 'failed'],
  cancelled: ['Cancelled', 'neutral'],
  expired: ['Expired', 'neutral'],
};

function downloadOf(download: BackgroundDownload): Activity {
  const { id, fileName, organizationId, organizationName, status, createdAt, sizeBytes } = download;
  const { items, totalItems, bytes } = download;
  const [word, tone] = DOWNLOAD_WORDS[status];
  const isUnderWay = status === 'queued' || status === 'running';
  const read = `${doneText(items, totalItems)} · ${formatBytes(bytes)}`;
  const size = status === 'finished' && sizeBytes !== null ? ` · ${formatBytes(sizeBytes)}` : '';
  return {
    ...{ kind: 'download', id, name: fileName, organizationId, organizationName, isUnderWay, isEnding: false, tone },
    ratio: isUnderWay ? ratioOf(items, totalItems) : 1,
    text: status === 'running' ? read : `${word}${size}`,
    beganAt: createdAt,
    expectedEnd: null,
    to: restoreDownload.at({ fileId: id }),
  };
}

const ratioOf = (done: number, total: number | null) => (total === null || total === 0 ? null : done / total);
