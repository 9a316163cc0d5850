import { type JobSession, listSessionLog, SESSION_LOG_DAYS } from '@keepwatch/contract/microsoft365/jobs';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime } from '../../kit/format/dates.ts';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';
import { useApi } from '../../kit/portal.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import { JOBS_KEY } from './jobs.data.ts';
import styles from './session-log.module.css';

const PAGE_LINES = 100;
const DAY_MS = 86_400_000;
const PROBLEMS = ['warning', 'error'] as const;

/** What a run did, and every item that it could not read with the reason: those first, where there are some. */
export function SessionLog({ session }: { session: JobSession }) {
  const [isProblemsOnly, setProblemsOnly] = useState(session.statistics.itemsLost > 0);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useLog(session, isProblemsOnly);
  const lines = data?.pages.flatMap((page) => page.data) ?? [];
  const count = data?.pages.at(-1)?.count ?? 0;
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>Log ({formatCounted(count, 'line', 'lines')})</h3>
        <ToggleButton isOn={isProblemsOnly} onChange={setProblemsOnly}>
          Problems only
        </ToggleButton>
      </div>
      {error !== null && data === undefined && (
        <ErrorState what="the log" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows rows={4} />}
      {data !== undefined && lines.length === 0 && <p className={styles.none}>{noneText(session, isProblemsOnly)}</p>}
      <ol className={styles.lines}>
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and none is ever put between two others
          <li key={place} data-type={line.type}>
            <time>{formatTime(line.creationTime)}</time>
            <span>
              {line.objectName !== null && <strong>{line.objectName}: </strong>}
              {line.message}
            </span>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="default" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more ({formatCount(count - lines.length)} left)
        </Button>
      )}
    </section>
  );
}

function noneText({ endTime }: JobSession, isProblemsOnly: boolean): string {
  if (endTime !== null && Date.now() - Date.parse(endTime) > SESSION_LOG_DAYS * DAY_MS)
    return `Logs are removed ${SESSION_LOG_DAYS} days after their run has ended.`;
  return isProblemsOnly ? 'No problems.' : 'No log available.';
}

function useLog({ jobId, id: sessionId }: JobSession, isProblemsOnly: boolean) {
  const api = useApi();
  const types = isProblemsOnly ? { type: [...PROBLEMS] } : {};
  return useInfiniteQuery({
    queryKey: [...JOBS_KEY, 'log', jobId, sessionId, isProblemsOnly],
    queryFn: ({ pageParam, signal }) =>
      api.request(
        listSessionLog,
        { params: { jobId, sessionId }, query: { ...types, limit: PAGE_LINES, offset: pageParam } },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ count }, pages) => {
      const read = pages.reduce((sum, page) => sum + page.data.length, 0);
      return read < count ? read : undefined;
    },
  });
}
