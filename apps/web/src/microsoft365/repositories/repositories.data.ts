import {
  createM365Repository,
  deleteM365Repository,
  editM365Repository,
  listRepositoriesOf,
  type Microsoft365Repository,
} from '@keepwatch/contract/microsoft365/repositories';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useOrganizationNames } from '../../entities/organizations.data.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { inSpecifiedWords } from './repository-failures.ts';

export const REPOSITORIES_KEY = ['o365', 'repositories'];
export type NewRepository = CallRequest<typeof createM365Repository>['body'];
export type MadeRepository = CallReply<typeof createM365Repository>;
export type RepositoryChanges = CallRequest<typeof editM365Repository>['body'];

/** The repositories of these organizations; of all without ids. */
export function useRepositories(organizationIds?: readonly string[]) {
  const api = useApi();
  const names = useOrganizationNames(organizationIds === undefined);
  const ids = organizationIds ?? names.data?.map(({ id }) => id);
  const read = useQuery({
    queryKey: [...REPOSITORIES_KEY, ids],
    queryFn: async ({ signal }) => {
      const found: Microsoft365Repository[] = [];
      for (const organizationsIds of partsOf(ids ?? []))
        found.push(...(await api.request(listRepositoriesOf, { body: { organizationsIds } }, signal)).data);
      return found;
    },
    enabled: ids !== undefined,
  });
  const refetch = () => (names.error === null ? read.refetch() : names.refetch());
  return { data: read.data, error: names.error ?? read.error, refetch };
}

/** As many as one request asks about; one request also without any. */
const ORGANIZATIONS_A_REQUEST = 1_000;

function partsOf(ids: readonly string[]): string[][] {
  const count = Math.max(1, Math.ceil(ids.length / ORGANIZATIONS_A_REQUEST));
  return Array.from({ length: count }, (_, at) =>
    ids.slice(at * ORGANIZATIONS_A_REQUEST, (at + 1) * ORGANIZATIONS_A_REQUEST),
  );
}

/** Makes a repository. Why one is refused is said in its form. */
export function useCreateRepository() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewRepository) => api.request(createM365Repository, { body }),
    onSuccess: ({ data }) => toasts.success(`The repository ${data.name} has been created.`),
    onSettled: () => queries.invalidateQueries({ queryKey: REPOSITORIES_KEY }),
  });
}

export function useEditRepository(id: string) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RepositoryChanges) =>
      inSpecifiedWords(() => api.request(editM365Repository, { params: { id }, body })),
    onSuccess: ({ data }) => toasts.success(`The repository ${data.name} has been changed.`),
    onSettled: () => queries.invalidateQueries({ queryKey: REPOSITORIES_KEY }),
  });
}

export function useDeleteRepository({ name }: Microsoft365Repository) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof deleteM365Repository>['body']) =>
      inSpecifiedWords(() => api.request(deleteM365Repository, { body })),
    onSuccess: () => toasts.success(`The repository ${name} has been removed from the portal.`),
    onSettled: () => queries.invalidateQueries({ queryKey: REPOSITORIES_KEY }),
  });
}
