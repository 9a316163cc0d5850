import {
  type Connection,
  type ConnectorKind,
  checkConnection,
  createConnection,
  deleteConnection,
  editConnection,
  listConnections,
  listConnectorKinds,
  testConnection,
} from '@keepwatch/contract/connections/connections';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';

export type ConnectionDraft = CallRequest<typeof editConnection>['body'];

const KEY = ['connections', 'list'];

/** The connections of every port. */
export function useConnections() {
  const api = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listConnections, {}, signal),
    select: (reply) => reply.data,
  });
}

/** What can be connected, with the fields of each form. */
export function useConnectorKinds() {
  const api = useApi();
  return useQuery({
    queryKey: ['connections', 'kinds'],
    queryFn: ({ signal }) => api.request(listConnectorKinds, {}, signal),
    select: (reply) => reply.data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Tests settings without saving them. Omitted secrets are those stored for the connection with `id`. */
export function useTestSettings({ port, kind }: ConnectorKind, id: string | null) {
  const api = useApi();
  return (settings: Record<string, string>) =>
    api.request(testConnection, { body: { port, kind, settings, ...(id === null ? {} : { connectionId: id }) } });
}

/** Connects an outside system, or changes the connection with `id`. */
export function useSaveConnection({ port, kind }: ConnectorKind, id: string | null) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: ConnectionDraft) =>
      id === null
        ? api.request(createConnection, { body: { port, kind, ...draft } })
        : api.request(editConnection, { params: { id }, body: draft }),
    onSuccess: ({ data }) => toasts.success(id === null ? `${data.name} is connected.` : `${data.name} is saved.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Tests a connection as it is stored; the list then shows its health. */
export function useCheck(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(checkConnection, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDelete({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id: id }: Connection) => api.request(deleteConnection, { params: { id } }),
    onSuccess: (_, { name }) => {
      toasts.success(`${name} is deleted.`);
      onDone();
    },
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
