import type { JobFilter } from '@keepwatch/contract/executions/filters';
import { type Changes, getChanges } from '@keepwatch/contract/insights/changes';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../kit/format/dates.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { useApi } from '../kit/portal.tsx';

/** A source that stops changes nothing that would be reported: it is asked for again. */
const AGAIN_MS = 60_000;

/** Sources with jobs among these that should have been read and were not, the longest ago first. */
export function useStoppedSources({ companyIds, source, managed }: JobFilter) {
  const api = useApi();
  const filter = { companyIds, source, managed };
  return useQuery({
    queryKey: ['stopped-sources', filter],
    queryFn: ({ signal }) => api.request(getChanges, { query: { filter } }, signal),
    select: ({ data }) => data.stoppedSources,
    refetchInterval: AGAIN_MS,
  });
}

interface Reading {
  data: Changes['stoppedSources'] | undefined;
  error: unknown;
}

/** What is not known although no fault is open, without the names of sources; `null` where all sources were read. */
export function notReadText({ data, error }: Reading, timeZone: string): string | null {
  if (data === undefined)
    return error === null
      ? 'Whether all sources were read is being checked.'
      : 'Whether all sources were read could not be checked.';
  const [first] = data;
  if (first === undefined) return null;
  const since = `since ${formatDateTime(first.readTo, timeZone)}`;
  const sources =
    data.length === 1
      ? `1 source has not been read ${since}.`
      : `${formatCount(data.length)} sources have not been read, one of them ${since}.`;
  return `${sources} Runs since then are not known.`;
}
