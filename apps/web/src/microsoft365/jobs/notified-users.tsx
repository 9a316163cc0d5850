import { listUsers } from '@keepwatch/contract/directory/users';
import { useQuery } from '@tanstack/react-query';
import type { ChoiceSearch } from '../../kit/filters/search-choices.tsx';
import { SearchFilter } from '../../kit/filters/search-filter.tsx';
import { useApi } from '../../kit/portal.tsx';

interface NotifiedUsersProps {
  userIds: readonly string[];
  onChange: (userIds: readonly string[]) => void;
}

const CHOICES_MAX = 50;

/** Users of the portal that are mailed, found by name. */
export function NotifiedUsers({ userIds, onChange }: NotifiedUsersProps) {
  const searchFor = useUserSearch();
  const nameOf = useUserNames(userIds);
  return (
    <SearchFilter
      label="Users"
      pluralLabel="Users to mail"
      searchLabel="Search users"
      searchFor={searchFor}
      values={userIds}
      chosen={userIds.map(nameOf)}
      labelOf={nameOf}
      onChange={onChange}
    />
  );
}

function useUserSearch(): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => ({
    queryKey: ['users-choice', search],
    queryFn: async ({ signal }) => {
      const query = { limit: CHOICES_MAX, sort: 'name' as const, states: ['active' as const] };
      const reply = await api.request(listUsers, { query: search === '' ? query : { ...query, search } }, signal);
      return {
        count: reply.count,
        choices: reply.data.map(({ _id, name, email }) => ({ value: _id, label: name, detail: email })),
      };
    },
  });
}

function useUserNames(ids: readonly string[]): (id: string) => string {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['users-choice', { ids }],
    queryFn: ({ signal }) => api.request(listUsers, { query: { ids: [...ids], limit: ids.length } }, signal),
    enabled: ids.length > 0,
  });
  return (id) => data?.data.find(({ _id }) => _id === id)?.name ?? '…';
}
