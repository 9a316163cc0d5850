import {
  createSource,
  deleteSource,
  editSource,
  listSourceKinds,
  listSources,
  type source,
  startSync,
  testSource,
} from '@keepwatch/contract/sources/sources';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { messageOf } from '../kit/api.ts';
import { useApi, useToasts } from '../kit/portal.tsx';

export type Source = z.infer<typeof source>;
export type SourceKind = CallReply<typeof listSourceKinds>['data'][number];
export type SourceDraft = CallRequest<typeof editSource>['body'];

const KEY = ['sources', 'consoles'];
const SYNC_POLL_MS = 3_000;

/** The connected consoles; asked again while one of them is being read. */
export function useSources() {
  const api = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listSources, {}, signal),
    select: (reply) => reply.data,
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) === true ? SYNC_POLL_MS : false),
  });
}

function isRunning({ status }: Source): boolean {
  return status === 'RUNNING';
}

/** What can be connected, with the fields of each form. */
export function useSourceKinds() {
  const api = useApi();
  return useQuery({
    queryKey: ['sources', 'kinds'],
    queryFn: ({ signal }) => api.request(listSourceKinds, {}, signal),
    select: (reply) => reply.data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Tests settings without saving them. Omitted secrets are those stored for the console with `id`. */
export function useTestSource(kind: string, id: string | null) {
  const api = useApi();
  return (settings: Record<string, string>) =>
    api.request(testSource, { body: { kind, settings, ...(id === null ? {} : { sourceId: id }) } });
}

/** Connects a console, or changes the one with `id`. */
export function useSaveSource(kind: string, id: string | null) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: SourceDraft) =>
      id === null
        ? api.request(createSource, { body: { kind, ...draft } })
        : api.request(editSource, { params: { id }, body: draft }),
    onSuccess: ({ data }) => toasts.success(id === null ? `${data.name} is connected.` : `${data.name} is saved.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** What is done to a console from the list. Each says how it ended. */
export function useSourceActions() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  const onError = (error: Error) => toasts.error(messageOf(error));
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const sync = useMutation({
    mutationFn: ({ _id }: Source) => api.request(startSync, { body: { sourceId: _id } }),
    onSuccess: (_, { name }) => toasts.info(`${name} is syncing.`),
    onError,
    onSettled,
  });
  const enable = useMutation({
    mutationFn: ({ target, isEnabled }: { target: Source; isEnabled: boolean }) => {
      const { _id: id, name, syncIntervalMinutes, settings } = target;
      return api.request(editSource, { params: { id }, body: { name, syncIntervalMinutes, settings, isEnabled } });
    },
    onSuccess: (_, { target, isEnabled }) =>
      toasts.success(isEnabled ? `${target.name} syncs again.` : `${target.name} no longer syncs.`),
    onError,
    onSettled,
  });
  const disconnect = useMutation({
    mutationFn: ({ _id: id }: Source) => api.request(deleteSource, { params: { id } }),
    onSuccess: (_, { name }) => toasts.success(`${name} is disconnected.`),
    onError,
    onSettled,
  });
  return { sync, enable, disconnect };
}
