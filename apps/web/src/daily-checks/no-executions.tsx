import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAllows } from '../kit/portal.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { useHasSource } from './daily-checks.data.ts';
import { isDefault } from './daily-checks-filters.tsx';
import { DEFAULT_FILTERS, type Filters } from './filters.ts';

interface NoExecutionsProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
  onReset: () => void;
}

/** In the place of the list where it is empty: what that means, and where to go on. */
export function NoExecutions({ filters, onChange, onReset }: NoExecutionsProps) {
  const hasSource = useHasSource();
  const canConnect = useAllows('monitoring.sources');
  if (!hasSource) {
    return (
      <EmptyState
        title="No runs yet"
        text="Runs appear here as soon as a console is connected, or a tool reports its backups."
      >
        {canConnect && <Link to="/monitoring/sources">Connect a source</Link>}
      </EmptyState>
    );
  }
  const showAll = () => onChange({ state: 'all' });
  const isOnlyDate = isDefault({ ...filters, date: DEFAULT_FILTERS.date });
  if (isOnlyDate) {
    return (
      <EmptyState title={`All clear for ${wordsOf(filters.date)}`} text="Nothing to review.">
        <Button variant="default" onClick={showAll}>
          Show all results
        </Button>
      </EmptyState>
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

/** `Last 2 Days` within a sentence. */
function wordsOf(date: string): string {
  const words = date.toLowerCase();
  if (words.startsWith('last ') || words.startsWith('this ')) return words.startsWith('last ') ? `the ${words}` : words;
  return words.includes('..') ? 'these days' : words;
}
