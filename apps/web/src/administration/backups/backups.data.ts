import {
  deletePortalBackup,
  editBackupPlan,
  fetchPortalBackup,
  listPortalBackups,
  type PortalBackup,
  preparePortalRestore,
  startPortalBackup,
} from '@keepwatch/contract/administration/backups';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { type OpenFile, wholeFile } from '@keepwatch/contract/wire/whole-file';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { pickFile } from '../../kit/save-file.ts';

const KEY = ['portal-backups'];
const PROGRESS_MS = 1_000;

/** The backups of the portal itself, read again every second while one is made. */
export function useBackups() {
  const api = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listPortalBackups, {}, signal),
    select: ({ data }) => data,
    refetchInterval: ({ state: { data } }) => (data?.data.running == null ? false : PROGRESS_MS),
  });
}

export function useStartBackup() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(startPortalBackup, {}),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Sets the schedule. Why it is refused is said in the form. */
export function useEditPlan() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editBackupPlan>['body']) => api.request(editBackupPlan, { body }),
    onSuccess: () => toasts.success('The schedule of the backups is saved.'),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteBackup() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name }: PortalBackup) => api.request(deletePortalBackup, { params: { name } }),
    onSuccess: (_, { name }) => toasts.success(`${name} is deleted.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Saves the file of a backup where the person wants it; after a break it goes on where it was. */
export function useSaveBackup() {
  const api = useApi();
  const toasts = useToasts();
  const stopping = useRef(new AbortController());
  const save = useMutation({
    mutationFn: async ({ name, sizeBytes }: PortalBackup) => {
      const { signal } = stopping.current;
      const target = await pickFile({ name, type: 'application/octet-stream' });
      if (target === null) return;
      const open: OpenFile = (headers) => api.open(fetchPortalBackup, { params: { name } }, headers, signal);
      await target.save(async () => wholeFile(open, { sizeBytes, signal }));
    },
    onError: (error) => {
      if (!stopping.current.signal.aborted) toasts.error(messageOf(error));
    },
  });
  // Who leaves the screen ends it.
  useEffect(() => {
    const { current } = stopping;
    return () => current.abort();
  }, []);
  return save;
}

/** Has a backup checked, and gives the commands with which it replaces the database. */
export function usePrepareRestore(name: string) {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof preparePortalRestore>['body']) =>
      api.request(preparePortalRestore, { params: { name }, body }),
  });
}
