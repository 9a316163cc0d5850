import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { STATUS } from '../entities/daily-checks.ts';
import { sources } from '../entities/places.ts';
import { ScreenLink, useMayOpen } from '../kit/screen-link.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { useHasSource, useRunCount } from './daily-checks.data.ts';
import { isDefault } from './daily-checks-filters.tsx';
import { DEFAULT_FILTERS, type Filters } from './filters.ts';
import { useRunQueryOf } from './use-run-query.ts';

interface NoExecutionsProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
  onReset: () => void;
}

/** In the place of the list where it is empty: what that means, and where to go on. */
export function NoExecutions({ filters, onChange, onReset }: NoExecutionsProps) {
  const hasSource = useHasSource();
  const canConnect = useMayOpen(sources);
  if (!hasSource) {
    return (
      <EmptyState
        title="No runs yet"
        text="Runs appear here as soon as a console is connected, or a tool reports its backups."
      >
        {canConnect && <ScreenLink to={sources.at()}>Connect a source</ScreenLink>}
      </EmptyState>
    );
  }
  const showAll = () => onChange({ state: 'all' });
  const isOnlyDate = isDefault({ ...filters, date: DEFAULT_FILTERS.date });
  if (isOnlyDate) {
    return (
      <NothingPending filters={filters}>
        <Button variant="default" onClick={showAll}>
          Show all results
        </Button>
      </NothingPending>
    );
  }
  return (
    <EmptyState title="No runs match these filters" text="Remove a filter to see more.">
      <Button variant="default" onClick={onReset}>
        Reset filters
      </Button>
      {filters.state !== 'all' && (
        <Button variant="default" onClick={showAll}>
          Show all states
        </Button>
      )}
    </EmptyState>
  );
}

/** All is clear only where something ran: without any run nothing is known of the backups. */
function NothingPending({ filters, children }: { filters: Filters; children: ReactNode }) {
  const days = wordsOf(filters.date);
  const runQueryOf = useRunQueryOf();
  const ofDays = useRunCount(runQueryOf({ ...filters, state: 'all', ignored: true }), true);
  const ever = useRunCount(runQueryOf({ ...DEFAULT_FILTERS, ...STATUS }), ofDays.data?.count === 0);
  if (ofDays.error !== null)
    return <EmptyState title="Nothing to review" text="Whether any backup ran could not be checked." />;
  if (ofDays.data === undefined || ever.isLoading) return null;
  if (ofDays.data.count > 0)
    return (
      <EmptyState title={`All clear for ${days}`} text="Nothing to review.">
        {children}
      </EmptyState>
    );
  if (ever.data?.count === 0)
    return <EmptyState title="No runs yet" text="Runs appear here as soon as the first job has run." />;
  return (
    <EmptyState
      title={`No runs for ${days}`}
      text="No backup ran or was expected. Choose another date range, or check that the source still reports."
    />
  );
}

/** `Last 2 Days` within a sentence. */
function wordsOf(date: string): string {
  const words = date.toLowerCase();
  if (words.startsWith('last ') || words.startsWith('this ')) return words.startsWith('last ') ? `the ${words}` : words;
  return words.includes('..') ? 'these days' : words;
}
