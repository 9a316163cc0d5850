import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { STATUS } from '../entities/daily-checks.ts';
import { sources } from '../entities/places.ts';
import type { QueueFilters } from '../entities/queue.ts';
import { notReadText, useStoppedSources } from '../entities/stopped-sources.data.ts';
import { useBackupClock } from '../kit/backup-clock.ts';
import { useApi } from '../kit/portal.tsx';
import { ScreenLink, useMayOpen } from '../kit/screen-link.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { STATE_WORDS } from './fault-texts.ts';
import { KEY } from './faults.data.ts';
import { narrowedTo } from './queue-summary.tsx';

interface NoFaultsProps {
  filters: QueueFilters;
  onReset: () => void;
}

/** In the place of the queue where it is empty: what that means. */
export function NoFaults({ filters, onReset }: NoFaultsProps) {
  const { state } = filters;
  const isNarrowed = narrowedTo(filters, (id) => id).length > 0;
  if (isNarrowed || state !== 'open') {
    const words = state === 'open' ? 'open faults' : `${STATE_WORDS[state].toLowerCase()} faults`;
    return (
      <EmptyState
        title={isNarrowed ? 'No faults match these filters' : `No ${words}`}
        text={
          isNarrowed
            ? 'Remove a filter to see more.'
            : 'Of faults that are not open, those of the last 2 days are listed.'
        }
      >
        <Button variant="default" onClick={onReset}>
          Reset filters
        </Button>
      </EmptyState>
    );
  }
  return <NothingOpen />;
}

/** All is clear only where something ran, and where all sources were read: else nothing is known of the backups. */
function NothingOpen() {
  const api = useApi();
  const { state, ignored, latest } = STATUS;
  const filter = { state, ignored, latest, anomaly: true };
  const { data, error } = useQuery({
    queryKey: [...KEY, 'jobs'],
    queryFn: ({ signal }) => api.request(listJobExecutions, { query: { limit: 1, filter } }, signal),
  });
  const stopped = useStoppedSources({});
  const { timeZone } = useBackupClock();
  const mayOpenSources = useMayOpen(sources);
  if (error !== null) return <EmptyState title="No open faults" text="Whether any backup ran could not be checked." />;
  if (data === undefined || stopped.isPending) return null;
  if (data.count === 0)
    return <EmptyState title="No runs yet" text="Faults appear here once the jobs of a source have run." />;
  const notRead = notReadText(stopped, timeZone);
  if (notRead === null) return <EmptyState title="All clear" text="No job has an open fault." />;
  return (
    <EmptyState title="No open faults" text={notRead}>
      {mayOpenSources && <ScreenLink to={sources.at()}>Sources</ScreenLink>}
    </EmptyState>
  );
}
