import {
  type BackgroundDownload,
  type BackgroundDownloadReply,
  cancelDownload,
  deleteDownload,
  fetchDownload,
  listDownloads,
  readDownload,
} from '@keepwatch/contract/restore/downloads';
import { type OpenFile, wholeFile } from '@keepwatch/contract/wire/whole-file';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { downloads, pickFile } from '../../kit/save-file.ts';
import type { DownloadRequest, DownloadWish } from '../explorer/application.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

export const DOWNLOADS_KEY = [...RESTORE_KEY, 'downloads'];
const PROGRESS_MS = 2_000;

export function isActive({ status }: Pick<BackgroundDownload, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** Background downloads of the user, newest first. */
export function useDownloads(): Pages<BackgroundDownload> {
  const api = useApi();
  return usePages({
    queryKey: [...DOWNLOADS_KEY, 'list'],
    load: async (place) => {
      const { count, results } = await api.request(listDownloads, { body: place });
      return { count, data: results };
    },
  });
}

/** One background download, read again while it is made; none without an id. */
export function useDownload(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...DOWNLOADS_KEY, 'one', id],
    queryFn: ({ signal }) => api.request(readDownload, { params: { id } }, signal),
    select: ({ download }) => download,
    enabled: id !== '',
    refetchInterval: ({ state: { data } }) => (data !== undefined && !isActive(data.download) ? false : PROGRESS_MS),
  });
}

export function useCancelDownload() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: BackgroundDownload) =>
      api.request(cancelDownload, { params: { id }, body: { action: 'cancel' } }),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: DOWNLOADS_KEY }),
  });
}

export function useDeleteDownload() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: BackgroundDownload) => api.request(deleteDownload, { params: { id } }),
    onSuccess: (_, { fileName }) => toasts.success(`${fileName} has been removed.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: DOWNLOADS_KEY }),
  });
}

/** Saves the file of a finished download, where the person wants it; after a break it goes on where it was. */
export function useSaveDownload() {
  const api = useApi();
  const toasts = useToasts();
  const [percent, setPercent] = useState(0);
  const stopping = useRef(new AbortController());
  const save = useMutation({
    mutationFn: async ({ url, fileName, sizeBytes }: BackgroundDownload) => {
      const target = await pickFile({ name: fileName, type: 'application/octet-stream' });
      if (target === null) return;
      stopping.current = new AbortController();
      const { signal } = stopping.current;
      const size = sizeBytes ?? 0;
      const onProgress = (bytes: number) => setPercent(Math.floor((100 * bytes) / size));
      setPercent(0);
      const open: OpenFile = (headers) => api.open(fetchDownload, { query: { url: url ?? '' } }, headers, signal);
      await target.save(async () => wholeFile(open, { sizeBytes: size, signal, onProgress }));
    },
    onError: (error) => {
      if (!stopping.current.signal.aborted) toasts.error(messageOf(error));
    },
  });
  useEffect(() => () => stopping.current.abort(), []);
  return { ...save, percent, stop: () => stopping.current.abort() };
}

function saveBlob(name: string, bytes: Blob): Promise<void> {
  return downloads({ name, type: bytes.type }).save(async () => bytes.stream());
}

/** How much several downloads are together; `null` where one of them cannot say. */
export function useDownloadSize(sessionId: string, requests: readonly DownloadRequest[]) {
  const api = useApi();
  const results = useQueries({
    queries: requests.map(({ name, weigh }, index) => ({
      queryKey: [...DOWNLOADS_KEY, 'size', sessionId, index, name],
      queryFn: async () => (weigh === null ? null : weigh(api, sessionId)),
      // What is chosen differs each time.
      gcTime: 0,
    })),
  });
  const error = results.find((result) => result.error !== null)?.error ?? null;
  const isWaiting = results.some(({ isPending }) => isPending);
  const sizes = results.map(({ data }) => data ?? null);
  const known = sizes.filter((size) => size !== null);
  const sum = known.reduce(
    (total, { items, sizeBytes }) => ({ items: total.items + items, sizeBytes: total.sizeBytes + sizeBytes }),
    { items: 0, sizeBytes: 0 },
  );
  return { size: !isWaiting && known.length === sizes.length ? sum : null, isWaiting, error };
}

/** Makes files of what was chosen: saved at once, or made in the background. */
export function useBeginDownloads(sessionId: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ requests, wish }: { requests: readonly DownloadRequest[]; wish: DownloadWish }) => {
      const begun: BackgroundDownload[] = [];
      for (const [index, { start }] of requests.entries()) {
        const fileName = requests.length === 1 ? wish.fileName : `${wish.fileName} ${index + 1}`;
        const bytes = await start(api, sessionId, { ...wish, fileName });
        if (wish.downloadInBackground) begun.push(await downloadIn(bytes));
        else await saveBlob(`${fileName}.${wish.format}`, bytes);
      }
      return begun;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: DOWNLOADS_KEY }),
  });
}

/** The background download that a call answers in the place of the file. */
async function downloadIn(bytes: Blob): Promise<BackgroundDownload> {
  // The server serialises it from the contract's own schema, as it does every reply.
  const reply = JSON.parse(await bytes.text()) as BackgroundDownloadReply;
  return reply.download;
}
