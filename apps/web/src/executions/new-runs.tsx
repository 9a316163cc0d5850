import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { NewsPill } from '../kit/data-table/news-pill.tsx';
import { formatCount } from '../kit/format/numbers.ts';
import { PAGE_ROWS } from './daily-checks.data.ts';
import { needsPerson } from './news.ts';

interface NewRunsProps {
  /** Runs that the list does not show yet. */
  added: readonly JobExecution[];
  /** Other runs are in the list, or no longer. */
  isChanged: boolean;
  refresh: () => void;
}

/** Says quietly that there is something to do that is not in the list. */
export function NewRuns({ added, isChanged, refresh }: NewRunsProps) {
  const text = newsText(added) ?? (isChanged ? 'List changed' : null);
  return <NewsPill text={text} hasNews={added.length > 0 || isChanged} refresh={refresh} />;
}

/** `3 new failures`; where not all of them have failed `3 new to review`; nothing where none needs a person. */
function newsText(added: readonly JobExecution[]): string | null {
  const open = added.filter(needsPerson);
  if (open.length === 0) return null;
  const isMore = open.length === PAGE_ROWS;
  const count = `${formatCount(open.length)}${isMore ? '+' : ''} new`;
  if (open.some(({ result }) => result !== 'Failed')) return `${count} to review`;
  return `${count} ${open.length === 1 ? 'failure' : 'failures'}`;
}
