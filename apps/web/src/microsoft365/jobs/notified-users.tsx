import { listUsersToNotify } from '@keepwatch/contract/directory/users';
import { useQuery } from '@tanstack/react-query';
import type { ChoiceSearch } from '../../kit/filters/search-choices.tsx';
import { SearchFilter } from '../../kit/filters/search-filter.tsx';
import { useApi } from '../../kit/portal.tsx';

interface NotifiedUsersProps {
  /** Of the job: only who may see it can be mailed. */
  companyId: string;
  userIds: readonly string[];
  onChange: (userIds: readonly string[]) => void;
}

const CHOICES_MAX = 50;

/** Users of the portal that are mailed, found by name. */
export function NotifiedUsers({ companyId, userIds, onChange }: NotifiedUsersProps) {
  const searchFor = useUserSearch(companyId);
  const nameOf = useUserNames(companyId, userIds);
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

const keyOf = (companyId: string, of: unknown) => ['users-to-notify', companyId, of];

function useUserSearch(veeamId: string): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => ({
    queryKey: keyOf(veeamId, search),
    queryFn: async ({ signal }) => {
      const query = { limit: CHOICES_MAX, ...(search === '' ? {} : { search }) };
      const { count, users } = await api.request(listUsersToNotify, { params: { veeamId }, query }, signal);
      return { count, choices: users.map(({ _id, name, email }) => ({ value: _id, label: name, detail: email })) };
    },
  });
}

function useUserNames(veeamId: string, ids: readonly string[]): (id: string) => string {
  const api = useApi();
  const { data } = useQuery({
    queryKey: keyOf(veeamId, { ids }),
    queryFn: ({ signal }) =>
      api.request(listUsersToNotify, { params: { veeamId }, query: { ids: [...ids], limit: ids.length } }, signal),
    enabled: ids.length > 0,
  });
  // Who was removed, or may not see the company any more, gets no mail.
  const unknown = data === undefined ? '…' : 'User who gets no mail any more';
  return (id) => data?.users.find(({ _id }) => _id === id)?.name ?? unknown;
}
