import type { JobExecution } from '@keepwatch/contract/monitoring/job-executions';
import { listJobExecutions } from '@keepwatch/contract/monitoring/job-executions';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { gatherBursts } from '../kit/bursts.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePortal } from '../kit/portal.tsx';
import { type ExecutionSort, KEY, listKey } from './daily-checks.data.ts';
import type { Question } from './filters.ts';

/** A sync changes many runs in a row: after a look at the first of them, one look for all that follow is enough. */
const GATHER_MS = 1_500;

interface News {
  listKey: string;
  /** Runs in the list as the server has it now. */
  count: number;
  firstId: string | null;
}

/**
 * What the server has that the list does not show yet. Rows never move under the hands of a person: where the list has
 * the same runs, they are read again in their places; where it has others, the person is told and decides.
 */
export function useNewRuns(question: Question, sort: ExecutionSort, pages: Pages<JobExecution>) {
  const { api, live } = usePortal();
  const queries = useQueryClient();
  const [news, setNews] = useState<News | null>(null);
  const shown = { count: pages.count, firstId: pages.rowAt(0)?._id ?? null };
  const latest = useRef({ question, sort, shown, listKey: pages.listKey });
  useEffect(() => {
    latest.current = { question, sort, shown, listKey: pages.listKey };
  });
  useEffect(() => {
    let isLooking = false;
    const look = async () => {
      const asked = latest.current;
      const query = { limit: 1, offset: 0, ...asked.question, sort: asked.sort };
      // A look that fails is made again at the next change; the list itself says what is wrong.
      const reply = await api.request(listJobExecutions, { query }).catch(() => null);
      if (reply === null) return;
      const found = { count: reply.count, firstId: reply.data[0]?._id ?? null };
      const now = latest.current.shown;
      if (found.count === now.count && found.firstId === now.firstId) {
        void queries.invalidateQueries({ queryKey: listKey(asked.question, asked.sort) });
      }
      setNews({ ...found, listKey: asked.listKey });
    };
    const bursts = gatherBursts(() => {
      if (isLooking) return false;
      isLooking = true;
      void look().finally(() => {
        isLooking = false;
      });
      return true;
    }, GATHER_MS);
    const stop = live.on('executions.changed', bursts.event);
    return () => {
      stop();
      bursts.stop();
    };
  }, [api, live, queries]);
  return { ...newsOf(news, shown, pages.listKey), refresh: () => void queries.invalidateQueries({ queryKey: KEY }) };
}

function newsOf(news: News | null, shown: { count: number | null; firstId: string | null }, key: string) {
  if (news === null || shown.count === null || news.listKey !== key) return { isChanged: false, newRuns: 0 };
  const isChanged = news.count !== shown.count || news.firstId !== shown.firstId;
  return { isChanged, newRuns: Math.max(0, news.count - shown.count) };
}
