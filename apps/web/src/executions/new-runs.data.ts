import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { changeRows } from '../kit/data-table/change-rows.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { useLooks } from '../kit/live/use-looks.ts';
import { useApi } from '../kit/portal.tsx';
import { type ExecutionSort, KEY, listKey, PAGE_ROWS } from './daily-checks.data.ts';
import type { Edits } from './edits/edits.data.ts';
import type { RunQuery } from './filters.ts';
import { type News, newsIn, newsLeft } from './news.ts';

/**
 * What the server has that the list does not show yet. Rows never move under the hands of a person: runs that are in the list are
 * brought up to date in their places, and of others the person is informed and decides. What the person has changed is no news.
 */
export function useNewRuns(runQuery: RunQuery, sort: ExecutionSort, pages: Pages<JobExecution>, edits: Edits) {
  const api = useApi();
  const queries = useQueryClient();
  const [news, setNews] = useState<News | null>(null);
  useLooks('executions.changed', { runQuery, sort, pages, edits }, async (asked, now) => {
    const query = { limit: PAGE_ROWS, offset: 0, ...asked.runQuery, sort: asked.sort };
    // A look that fails is made again at the next change; the list itself says what is wrong.
    const reply = await api.request(listJobExecutions, { query }).catch(() => null);
    const { pages: shown, edits: made } = now();
    if (reply === null || shown.listKey !== asked.pages.listKey) return true;
    // The reply may know of an edit that the list does not know to be done yet, or the other way round.
    if (asked.edits.inFlight.size > 0 || made.inFlight.size > 0) return false;
    const found = newsIn(reply, shown, made.isOwn);
    const key = listKey(asked.runQuery, asked.sort);
    if (found === null) void queries.invalidateQueries({ queryKey: key });
    else changeRows<JobExecution>(queries, key, PAGE_ROWS, inPlace(reply.data));
    setNews(found);
    return true;
  });
  const left = useMemo(() => newsLeft(news, pages, edits.isOwn), [news, pages, edits.isOwn]);
  return { ...left, refresh: () => void queries.invalidateQueries({ queryKey: KEY }) };
}

function inPlace(data: readonly JobExecution[]): (run: JobExecution) => JobExecution {
  const byId = new Map(data.map((run) => [run._id, run]));
  return (run) => byId.get(run._id) ?? run;
}
