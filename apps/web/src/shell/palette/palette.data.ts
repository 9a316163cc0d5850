import { search } from '@keepwatch/contract/search/search';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAllows, useApi } from '../../kit/portal.tsx';

/** Shorter than between two keys of a person who types; a held key asks once. */
const PAUSE_MS = 120;
/** One letter is in nearly every name. */
const LENGTH_MIN = 2;

/** What the server finds by name, a few of each kind; those of the text before until they are there. */
export function useHits(typed: string) {
  const api = useApi();
  const mayFind = useAllows(search.access);
  const [text] = useDebouncedValue(typed, PAUSE_MS);
  const isAsked = mayFind && text.length >= LENGTH_MIN;
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => api.request(search, { query: { text } }, signal),
    placeholderData: keepPreviousData,
    enabled: isAsked,
  });
  const isWaiting = mayFind && typed.length >= LENGTH_MIN && (isFetching || text !== typed);
  return { hits: isAsked ? (data?.data ?? []) : [], error: isAsked ? error : null, isWaiting };
}
